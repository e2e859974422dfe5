/** Ethereum's rules of a transaction, as far as they lie outside of the engine. */

import { intrinsicGas, isSince } from '../../dist/evm/index.js';
import { toBytes, toHex, toNumber, toWord } from './encoding.js';

/** Base fee of tests that name none. */
const DEFAULT_BASE_FEE = '0x0a';
/** EIP-3860. */
const INIT_CODE_BYTES = 49_152;
/** EIP-7825. */
const OSAKA_GAS = 16_777_216n;
/** EIP-2681: a nonce that cannot grow. */
const LAST_NONCE = 2n ** 64n - 1n;

/**
 * The transaction that the indexes of a case choose, or why it is refused before it runs.
 *
 * @param {Record<string, any>} test the case as the file has it
 * @param {{ data: number, gas: number, value: number }} indexes
 * @param {import('./world.js').World} world the state before
 * @returns {{ refused: string } | { refused: undefined, message: any, baseFee: bigint }}
 */
export function prepare(test, hardfork, indexes, world) {
  const { transaction, env } = test;
  const message = readMessage(transaction, indexes);
  const baseFee = toNumber(env.currentBaseFee ?? DEFAULT_BASE_FEE);
  const fees = readFees(transaction);
  const blockGas = toNumber(env.currentGasLimit);
  const refused =
    refusedForItself(transaction, hardfork, message) ??
    refusedForGas(hardfork, message, fees, baseFee, blockGas) ??
    refusedForSender(transaction, message, fees, world);
  if (refused !== undefined) return { refused };
  return { refused, baseFee, message: { ...message, gasPrice: priceOf(fees, baseFee), payForGas: true } };
}

/** What the sender pays for a unit of gas (EIP-1559). */
function priceOf({ most, tip }, baseFee) {
  return tip > most - baseFee ? most : baseFee + tip;
}

function readMessage(transaction, indexes) {
  const accessList = transaction.accessLists?.[indexes.data] ?? [];
  return {
    caller: toBytes(transaction.sender),
    to: transaction.to === '' || transaction.to === undefined ? undefined : toBytes(transaction.to),
    value: toNumber(transaction.value[indexes.value]),
    data: toBytes(transaction.data[indexes.data]),
    gas: toNumber(transaction.gasLimit[indexes.gas]),
    accessList: accessList.map(({ address, storageKeys }) => ({
      address: toBytes(address),
      storageKeys: storageKeys.map((key) => toWord(toNumber(key))),
    })),
  };
}

function readFees({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }) {
  if (maxFeePerGas === undefined) return { most: toNumber(gasPrice), tip: toNumber(gasPrice) };
  return { most: toNumber(maxFeePerGas), tip: toNumber(maxPriorityFeePerGas) };
}

function refusedForItself({ authorizationList, blobVersionedHashes }, hardfork, { to, data, value }) {
  if (authorizationList !== undefined) return 'a set-code transaction';
  if (blobVersionedHashes !== undefined) return 'a blob transaction';
  if (value >= 2n ** 256n) return 'value beyond 256 bits';
  const creates = to === undefined;
  if (creates && isSince(hardfork, 'shanghai') && data.length > INIT_CODE_BYTES) return 'too much init code';
  return undefined;
}

function refusedForGas(hardfork, { to, data, gas, accessList }, { most, tip }, baseFee, blockGas) {
  if (tip > most) return 'tip above the fee';
  if (most < baseFee) return 'fee below the base fee';
  if (gas > blockGas) return "gas above the block's limit";
  if (isSince(hardfork, 'osaka') && gas > OSAKA_GAS) return "gas above a transaction's limit";
  const least = intrinsicGas(hardfork, { data, creates: to === undefined, accessList });
  return gas < least ? `gas ${gas} below the least of ${least}` : undefined;
}

function refusedForSender({ nonce }, { caller, gas, value }, { most }, world) {
  const sender = world.accounts.get(toHex(caller)) ?? { nonce: 0n, balance: 0n };
  if (sender.codeHash !== undefined) return 'the sender has code';
  if (sender.nonce !== toNumber(nonce)) return `nonce ${toNumber(nonce)}, the sender's is ${sender.nonce}`;
  if (sender.nonce >= LAST_NONCE) return 'nonce that cannot grow';
  const need = gas * most + value;
  return sender.balance < need ? `balance ${sender.balance} below ${need}` : undefined;
}
