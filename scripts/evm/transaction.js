/** Ethereum's rules of a transaction that are outside of the engine. */

import { intrinsicGas, isSince } from '../../dist/evm/index.js';
import { blobBaseFeeOf } from '../../dist/ledger/chain/block-fees.js';
import { createAddress, delegationOf, toAddress } from '../../dist/protocol/index.js';
import { toBytes, toHex, toNumber, toWord } from './encoding.js';

/** Base fee of tests without one. */
const DEFAULT_BASE_FEE = '0x0a';
/** EIP-3860. */
const INIT_CODE_BYTES = 49_152;
/** EIP-7825. */
const OSAKA_GAS = 16_777_216n;
/** EIP-2681: the maximum nonce. */
const NONCE_MAX = 2n ** 64n - 1n;
/** EIP-4844. */
const BLOB_GAS = 131_072n;
/** EIP-7594. */
const OSAKA_BLOBS = 6;

/**
 * Returns the transaction that the indexes of a case select, or the reason why it is rejected before it runs.
 *
 * @param {Record<string, any>} test the case in the file
 * @param {{ data: number, gas: number, value: number }} indexes
 * @param {import('./world.js').World} world the state before
 * @returns {{ rejected: string } | { rejected: undefined, message: any, baseFee: bigint, blobBaseFee: bigint,
 *   blobFee: bigint }}
 */
export function prepare(test, hardfork, indexes, world) {
  const { transaction, env } = test;
  const message = readMessage(transaction, indexes);
  const blobs = readBlobs(test, hardfork);
  const baseFee = toNumber(env.currentBaseFee ?? DEFAULT_BASE_FEE);
  const fees = readFees(transaction);
  const blockGas = toNumber(env.currentGasLimit);
  const rejected =
    rejectionOfFields(transaction, hardfork, message) ??
    rejectionOfBlobs(transaction, hardfork, blobs) ??
    rejectionOfGas(hardfork, message, fees, baseFee, blockGas) ??
    rejectionOfSender(transaction, message, fees, blobs, world);
  if (rejected !== undefined) return { rejected };
  const { hashes: blobHashes, baseFee: blobBaseFee, gas: blobGas } = blobs;
  const gasPrice = priceOf(fees, baseFee);
  return {
    rejected,
    baseFee,
    blobBaseFee,
    blobFee: blobGas * blobBaseFee,
    message: { ...message, blobHashes, gasPrice, payForGas: true },
  };
}

/**
 * Returns the blobs of a transaction, and the prices of its block.
 *
 * @param {Record<string, any>} test
 * @param {import('../../dist/evm/index.js').Hardfork} hardfork
 */
function readBlobs({ transaction, env, config }, hardfork) {
  const hashes = (transaction.blobVersionedHashes ?? []).map(toBytes);
  const maxFee = toNumber(transaction.maxFeePerBlobGas ?? '0x0');
  const given = Object.entries(config?.blobSchedule ?? {}).find(([name]) => name.toLowerCase() === hardfork);
  const { max = '0x6', baseFeeUpdateFraction = '0x32f0ed' } = given?.[1] ?? {};
  const schedule = { target: 0, max: Number(max), baseFeeUpdateFraction: Number(baseFeeUpdateFraction) };
  const baseFee = blobBaseFeeOf(toNumber(env.currentExcessBlobGas ?? '0x0'), schedule);
  return { hashes, maxFee, baseFee, max: schedule.max, gas: BigInt(hashes.length) * BLOB_GAS };
}

function rejectionOfBlobs({ blobVersionedHashes, to }, hardfork, { hashes, maxFee, baseFee, max }) {
  if (blobVersionedHashes === undefined) return undefined;
  if (!isSince(hardfork, 'cancun')) return 'blobs before Cancun';
  if (to === '' || to === undefined) return 'a creation with blobs';
  if (hashes.length === 0) return 'no blobs';
  if (hashes.length > (isSince(hardfork, 'osaka') ? Math.min(OSAKA_BLOBS, max) : max))
    return 'too many blobs';
  if (hashes.some(([version, ...rest]) => version !== 1 || rest.length !== 31))
    return 'an invalid versioned hash';
  return maxFee < baseFee ? 'blob fee below the base fee' : undefined;
}

/** Returns the effective gas price (EIP-1559). */
function priceOf({ maxFee, tip }, baseFee) {
  return tip > maxFee - baseFee ? maxFee : baseFee + tip;
}

function readMessage(transaction, indexes) {
  const accessList = transaction.accessLists?.[indexes.data] ?? [];
  const caller = toBytes(transaction.sender);
  const to = transaction.to === '' || transaction.to === undefined ? undefined : toBytes(transaction.to);
  return {
    caller,
    to,
    newAddress: to === undefined ? createAddress(toAddress(caller), toNumber(transaction.nonce)) : undefined,
    value: toNumber(transaction.value[indexes.value]),
    data: toBytes(transaction.data[indexes.data]),
    gas: toNumber(transaction.gasLimit[indexes.gas]),
    accessList: accessList.map(({ address, storageKeys }) => ({
      address: toBytes(address),
      storageKeys: storageKeys.map((key) => toWord(toNumber(key))),
    })),
    authorizationList: transaction.authorizationList?.map(readAuthorization),
  };
}

function readAuthorization({ chainId, address, nonce, yParity, r, s }) {
  return {
    chainId: toNumber(chainId),
    address: toBytes(address),
    nonce: toNumber(nonce),
    yParity: Number(toNumber(yParity)),
    r: toNumber(r),
    s: toNumber(s),
  };
}

function readFees({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }) {
  if (maxFeePerGas === undefined) return { maxFee: toNumber(gasPrice), tip: toNumber(gasPrice) };
  return { maxFee: toNumber(maxFeePerGas), tip: toNumber(maxPriorityFeePerGas) };
}

function rejectionOfFields({ authorizationList }, hardfork, { to, data, value }) {
  if (value >= 2n ** 256n) return 'value beyond 256 bits';
  const creates = to === undefined;
  if (authorizationList !== undefined) {
    if (!isSince(hardfork, 'prague')) return 'a set-code transaction before Prague';
    if (authorizationList.length === 0) return 'a set-code transaction without authorizations';
    if (creates) return 'a set-code transaction that creates a contract';
  }
  if (creates && isSince(hardfork, 'shanghai') && data.length > INIT_CODE_BYTES) return 'too much init code';
  return undefined;
}

function rejectionOfGas(hardfork, message, { maxFee, tip }, baseFee, blockGas) {
  const { to, data, gas, accessList, authorizationList } = message;
  if (tip > maxFee) return 'tip above the fee';
  if (maxFee < baseFee) return 'fee below the base fee';
  if (gas > blockGas) return "gas above the block's limit";
  if (isSince(hardfork, 'osaka') && gas > OSAKA_GAS) return "gas above a transaction's limit";
  const required = intrinsicGas(hardfork, { data, creates: to === undefined, accessList, authorizationList });
  return gas < required ? `gas ${gas} below the intrinsic gas ${required}` : undefined;
}

function rejectionOfSender({ nonce }, { caller, gas, value }, { maxFee }, blobs, world) {
  const sender = world.accounts.get(toHex(caller)) ?? { nonce: 0n, balance: 0n };
  const hasCode = sender.codeHash !== undefined && delegationOf(world.code(sender.codeHash)) === undefined;
  if (hasCode) return 'the sender has code';
  if (sender.nonce !== toNumber(nonce)) return `nonce ${toNumber(nonce)}, the sender's is ${sender.nonce}`;
  if (sender.nonce >= NONCE_MAX) return 'nonce that cannot grow';
  const need = gas * maxFee + value + blobs.gas * blobs.maxFee;
  return sender.balance < need ? `balance ${sender.balance} below ${need}` : undefined;
}
