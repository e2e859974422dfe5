/** The miniature suite through ethers: `node ethers.js <address of the node> <file of the contracts>`. */

import { readFileSync } from 'node:fs';
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers';
import { runScenario, textOfError } from './scenario.js';

const POLLING_MS = 50;
const WAIT_MS = 1_000;
/**
 * Without a batch of one, ethers waits 10 ms with each call for others that could go along, and with its cache it
 * answers from what it knew 250 ms ago: that would be measured, not the node.
 */
const OPTIONS = { batchMaxCount: 1, cacheTimeout: -1, staticNetwork: true };

const [url, file] = process.argv.slice(2);
const contracts = JSON.parse(readFileSync(file, 'utf8'));
const provider = new JsonRpcProvider(url, undefined, OPTIONS);
provider.pollingInterval = POLLING_MS;
const accounts = await provider.send('eth_accounts', []);
const signers = Object.fromEntries(
  await Promise.all(accounts.map(async (account) => [account, await provider.getSigner(account)])),
);
const [owner] = accounts;

/** A method of a contract, for a sender. */
function methodOf({ contract }, name, sender = owner) {
  return contract.connect(signers[sender]).getFunction(name);
}

/**
 * Waits for a receipt. ethers asks once and then again with every new block: where a node has made the block and
 * not yet the receipt, and makes no other block, that would be for ever.
 */
async function received(transaction) {
  const receipt = await transaction
    .wait(1, WAIT_MS)
    .catch((error) =>
      error.code === 'TIMEOUT' ? provider.getTransactionReceipt(transaction.hash) : raise(error),
    );
  if (receipt.status !== 1) throw new Error(`the transaction ${receipt.hash} failed`);
  return receipt;
}

function raise(error) {
  throw error;
}

const client = {
  accounts,
  deploy: async (name, ...args) => {
    const { abi, bytecode } = contracts[name];
    const created = await new ContractFactory(abi, bytecode, signers[owner]).deploy(...args);
    // Not every node derives the address from the sender's nonce.
    const { contractAddress: address } = await received(created.deploymentTransaction());
    return { address, contract: new Contract(address, abi, signers[owner]) };
  },
  send: async (contract, name, args, sender, gasLimit) =>
    received(await methodOf(contract, name, sender)(...args, { gasLimit })),
  read: (contract, name, args) => methodOf(contract, name).staticCall(...args),
  revertedRead: (contract, name, args, sender) =>
    textOfError(methodOf(contract, name, sender).staticCall(...args)),
  revertedSend: (contract, name, args, sender) =>
    textOfError(methodOf(contract, name, sender)(...args).then(received)),
};

process.stdout.write(`${JSON.stringify({ ms: await runScenario(client) })}\n`);
provider.destroy();
