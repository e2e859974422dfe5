import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { foundry } from 'viem/chains';
import { expect, inject, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { createConfig, http, WagmiProvider } from 'wagmi';
import { mock } from 'wagmi/connectors';
import { Transfer } from '../src/Transfer.tsx';

const RECIPIENT = '0x00000000000000000000000000000000000000ff';

const { ethereumUrl, ethereumAccounts } = inject('ledgerd');
const chain = { ...foundry, rpcUrls: { default: { http: [ethereumUrl] } } };

// The node signs for its accounts, as the wallet of a user would.
const config = createConfig({
  chains: [chain],
  connectors: [mock({ accounts: [ethereumAccounts[0].address] })],
  pollingInterval: 100,
  transports: { [chain.id]: http(ethereumUrl) },
});

test('a user connects, sends ether, and sees it arrive', async () => {
  const screen = await render(
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Transfer to={RECIPIENT} />
      </QueryClientProvider>
    </WagmiProvider>,
  );
  await screen.getByRole('button', { name: 'Connect' }).click();
  await screen.getByLabelText('Ether').fill('2.5');
  await screen.getByRole('button', { name: 'Send' }).click();
  await expect.element(screen.getByRole('status')).toHaveTextContent('The recipient has 2.5 ether.');
});
