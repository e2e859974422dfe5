/** Creates the same contracts, balances and blocks in every peer, through its interface. */

import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem';
import { withConnection } from '../harness/connection.js';
import { quantity } from '../harness/words.js';

const SUPPLY = 10n ** 27n;
/** Tokens that each account gets. */
export const SHARE = 10n ** 18n;
const LIQUIDITY = [10n ** 24n, 4n * 10n ** 24n];
/** Amount that a swap pays. */
const PAYMENT = 10n ** 18n;
const NEXT_SECOND_MS = 1_100;
/** A second that no run lives to see. */
const DEADLINE = 4_000_000_000n;

/** Transactions of the block that is read. */
export const FULL_BLOCK = 100;

export const GAS = {
  transfer: 21_000,
  tokenTransfer: 100_000,
  logs: 200_000,
  other: 600_000,
  deploy: 6_000_000,
};

/** The bytes that call a function. */
export function encodeCall({ abi }, functionName, ...args) {
  return encodeFunctionData({ abi, functionName, args });
}

/** Decodes the return value of a function. */
export function decodeReturned({ abi }, functionName, data) {
  return decodeFunctionResult({ abi, functionName, data });
}

/** Sends a transaction and waits for its receipt. @throws when it failed */
export async function transact(connection, { gas, value = 0n, ...fields }) {
  const hash = await connection.call('eth_sendTransaction', {
    ...fields,
    gas: quantity(gas),
    value: quantity(value),
  });
  return await receiptOf(connection, hash);
}

/**
 * Polls a receipt.
 * @throws if the transaction failed
 */
async function receiptOf(connection, hash) {
  while (true) {
    const receipt = await connection.call('eth_getTransactionReceipt', hash);
    if (receipt === null) continue;
    if (receipt.status !== '0x1') throw new Error(`the transaction ${hash} failed`);
    return receipt;
  }
}

/**
 * Makes the world of a peer.
 *
 * @returns its accounts; its contracts with their addresses; `transferHash` of a transfer of tokens; `fullBlock`, the
 *   number of a block with `FULL_BLOCK` transactions; `swap`, a transaction that swaps
 */
export async function loadWorld({ port }, contracts) {
  return await withConnection(port, async (connection) => {
    const world = await loadTokens(connection, contracts);
    const deploy = deployer(connection, contracts, world);
    await deploy('Heavy', 'heavy');
    await deploy('Emitter', 'emitter');
    world.swap = await openExchange(connection, world, deploy);
    world.fullBlock = await fillBlock(connection, world.accounts);
    return world;
  });
}

/** The part of the world that transfers take: its accounts, and a token of which each has some. */
export async function loadTokens(connection, contracts) {
  /** @type {any} */
  const world = { accounts: await connection.call('eth_accounts'), contracts: {} };
  await deployer(connection, contracts, world)('Token', 'token', SUPPLY);
  world.transferHash = await shareTokens(connection, world);
  return world;
}

/** Deploys a contract and stores it in the world by name. */
function deployer(connection, contracts, world) {
  const [from] = world.accounts;
  return async (name, key, ...args) => {
    const data = encodeDeployData({ ...contracts[name], args });
    const { contractAddress } = await transact(connection, { from, data, gas: GAS.deploy });
    world.contracts[key] = { abi: contracts[name].abi, address: contractAddress };
    return world.contracts[key];
  };
}

/** Gives tokens to every account, and the hash of the last transfer. */
async function shareTokens(connection, { accounts: [from, ...others], contracts: { token } }) {
  let last;
  for (const account of others) {
    const data = encodeCall(token, 'transfer', account, SHARE);
    const fields = { from, to: token.address, data, gas: GAS.tokenTransfer };
    last = (await transact(connection, fields)).transactionHash;
  }
  return last;
}

/** Opens an exchange of two tokens, swaps once, and gives the transaction that swaps again. */
async function openExchange(connection, { accounts: [from], contracts: { token } }, deploy) {
  const other = await deploy('Token', 'otherToken', SUPPLY);
  const wrapped = await deploy('WrappedCoin', 'wrappedCoin');
  const factory = await deploy('Factory', 'factory', from);
  const router = await deploy('Router', 'router', factory.address, wrapped.address);
  for (const contract of [token, other]) {
    const data = encodeCall(contract, 'approve', router.address, SUPPLY);
    await transact(connection, { from, to: contract.address, data, gas: GAS.other });
  }
  const added = [token.address, other.address, ...LIQUIDITY, 0n, 0n, from, DEADLINE];
  const add = encodeCall(router, 'addLiquidity', ...added);
  await transact(connection, { from, to: router.address, data: add, gas: GAS.deploy });
  const swapped = [PAYMENT, 1n, [token.address, other.address], from, DEADLINE];
  const data = encodeCall(router, 'swapExactTokensForTokens', ...swapped);
  const swap = { from, to: router.address, data };
  await transact(connection, { ...swap, gas: GAS.other });
  // The first swap in a later second initialises slots, after which swaps take less gas.
  await new Promise((resolve) => setTimeout(resolve, NEXT_SECOND_MS));
  await transact(connection, { ...swap, gas: GAS.other });
  const { gasUsed } = await transact(connection, { ...swap, gas: GAS.other });
  return { ...swap, gasUsed: Number(gasUsed) };
}

/** Makes a block with many transfers, and gives its number. */
async function fillBlock(connection, accounts) {
  const mining = await miningOf(connection);
  await mining.stop();
  const hashes = [];
  for (let index = 0; index < FULL_BLOCK; index += 1) {
    const from = accounts[index % accounts.length];
    const to = accounts[(index + 1) % accounts.length];
    const fields = { from, to, gas: quantity(GAS.transfer), value: '0x1' };
    hashes.push(await connection.call('eth_sendTransaction', fields));
  }
  await connection.call('evm_mine');
  await mining.start();
  const numbers = new Set();
  for (const hash of hashes) numbers.add((await receiptOf(connection, hash)).blockNumber);
  if (numbers.size !== 1) throw new Error(`${FULL_BLOCK} transactions came into ${numbers.size} blocks`);
  return numbers.values().next().value;
}

/** Returns the methods that stop and start production: each peer has one of two pairs. */
async function miningOf(connection) {
  try {
    await connection.call('evm_setAutomine', true);
    return {
      stop: () => connection.call('evm_setAutomine', false),
      start: () => connection.call('evm_setAutomine', true),
    };
  } catch {
    return { stop: () => connection.call('miner_stop'), start: () => connection.call('miner_start') };
  }
}
