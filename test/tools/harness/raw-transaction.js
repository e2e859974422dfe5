/** Makes signed transactions by hand, so that each part can be invalid. */

import { concat, encodeRlp, getBytes, keccak256, SigningKey, toBeArray, toBeHex, Wallet } from 'ethers';

/** Order of the curve: subtracting s from it gives the other form of a signature. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GAS_PRICE = 20_000_000_000n;

/**
 * @typedef {object} Fields what differs from a transfer of nothing that is type 2
 * @property {0 | 1 | 2 | 3 | 4} [type]
 * @property {bigint | undefined} [chainId] undefined is a legacy transaction for any chain
 * @property {bigint} [nonce]
 * @property {string} [nonceBytes] what stands for it instead
 * @property {bigint} [gas]
 * @property {bigint} [maxFee] or the gas price
 * @property {bigint} [tip]
 * @property {string} [to] `0x` creates
 * @property {bigint} [value]
 * @property {string} [data]
 * @property {unknown[]} [extra] what types 3 and 4 have behind the access list
 * @property {boolean} [highS] whether the signature has its other form
 * @property {boolean} [zeroR] whether the signature's r is 0
 */

/**
 * Signs a transaction.
 *
 * @param {string} privateKey
 * @param {Fields} fields
 * @returns {string} its bytes, hexadecimal
 */
export function signRaw(privateKey, fields) {
  const { type = 2, chainId, highS = false, zeroR = false } = fields;
  const unsigned = unsignedFields({ ...fields, type });
  const isLegacy = type === 0;
  const replay = isLegacy && chainId !== undefined ? [number(chainId), '0x', '0x'] : [];
  const digest = keccak256(typed(type, [...unsigned, ...replay]));
  const signature = new SigningKey(privateKey).sign(digest);
  const s = BigInt(signature.s);
  const parity = highS ? 1 - signature.yParity : signature.yParity;
  const first = isLegacy
    ? BigInt(parity) + (chainId === undefined ? 27n : 35n + 2n * chainId)
    : BigInt(parity);
  const r = zeroR ? 0n : BigInt(signature.r);
  return typed(type, [...unsigned, number(first), number(r), number(highS ? ORDER - s : s)]);
}

/** Makes a new key. */
export function newKey() {
  const { address, privateKey } = Wallet.createRandom();
  return { address, privateKey };
}

/**
 * @param {number} type
 * @param {any[]} fields
 */
function typed(type, fields) {
  const list = encodeRlp(fields);
  return type === 0 ? list : concat([toBeHex(type, 1), list]);
}

/**
 * @param {Fields & { type: number }} fields
 * @returns {any[]}
 */
function unsignedFields({
  type,
  chainId = 0n,
  nonce = 0n,
  nonceBytes,
  gas = 21_000n,
  maxFee = GAS_PRICE,
  tip = 0n,
  to = `0x${'11'.repeat(20)}`,
  value = 0n,
  data = '0x',
  extra = [],
}) {
  const first = nonceBytes ?? number(nonce);
  const ending = [number(gas), to, number(value), data];
  if (type === 0) return [first, number(maxFee), ...ending];
  if (type === 1) return [number(chainId), first, number(maxFee), ...ending, []];
  return [number(chainId), first, number(tip), number(maxFee), ...ending, [], ...extra];
}

/** @param {bigint} value */
export function number(value) {
  return getBytes(toBeArray(value));
}
