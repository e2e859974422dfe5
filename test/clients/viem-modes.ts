import { createTestClient, defineChain, http, publicActions, walletActions } from 'viem';
import type { Program } from '../program.ts';

/** viem calls each action of its test client by the name of its mode. */
export const MODES = ['anvil', 'hardhat', 'ganache'] as const;
export type Mode = (typeof MODES)[number];

export type TestClient = ReturnType<typeof connect>;

/** Makes viem's test client of a mode, without caching of blocks, that can send and read as well. */
export function connect({ clientUrl }: Program, mode: Mode) {
  const chain = defineChain({
    id: 255,
    name: 'ledgerd',
    nativeCurrency: { name: 'unit', symbol: 'UNIT', decimals: 0 },
    rpcUrls: { default: { http: [clientUrl] } },
  });
  const transport = http(clientUrl, { retryCount: 0 });
  return createTestClient({ mode, chain, transport, pollingInterval: 50, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}
