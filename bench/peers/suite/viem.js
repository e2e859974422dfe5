/** The miniature suite through viem: `node viem.js <address of the node> <file of the contracts>`. */

import { readFileSync } from 'node:fs';
import { createPublicClient, createWalletClient, defineChain, http } from 'viem';
import { runScenario, textOfError } from './scenario.js';

/** Polling interval of Hardhat's plugin for viem on development nodes. */
const POLLING_MS = 50;

const [url, file] = process.argv.slice(2);
const contracts = JSON.parse(readFileSync(file, 'utf8'));
/** With its retries viem would wait up to a second for each revert that a node gives the code -32603. */
const transport = http(url, { retryCount: 0 });
const reader = createPublicClient({ transport, pollingInterval: POLLING_MS });
const chain = defineChain({
  id: await reader.getChainId(),
  name: 'peer',
  nativeCurrency: { name: 'unit', symbol: 'UNIT', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
});
const writer = createWalletClient({ chain, transport });
const accounts = await writer.getAddresses();
const [owner] = accounts;

async function received(hash) {
  const receipt = await reader.waitForTransactionReceipt({ hash });
  if (receipt.status !== 'success') throw new Error(`the transaction ${hash} failed`);
  return receipt;
}

const fields = ({ abi, address }, functionName, args, account) => ({
  abi,
  address,
  functionName,
  args,
  account,
});

const client = {
  accounts,
  deploy: async (name, ...args) => {
    const { contractAddress } = await received(
      await writer.deployContract({ ...contracts[name], args, account: owner }),
    );
    return { abi: contracts[name].abi, address: contractAddress };
  },
  send: async (contract, name, args, sender, gas) =>
    received(await writer.writeContract({ ...fields(contract, name, args, sender), gas })),
  read: (...words) => reader.readContract(fields(...words)),
  revertedRead: (...words) => textOfError(reader.simulateContract(fields(...words))),
  revertedSend: (...words) => textOfError(writer.writeContract(fields(...words)).then(received)),
};

process.stdout.write(`${JSON.stringify({ ms: await runScenario(client) })}\n`);
