/** Transactions that must be rejected, with their messages: geth's words where clients parse them. */

import { concat, dataSlice, encodeRlp, toBeHex } from 'ethers';
import { newKey, number, signRaw } from './raw-transaction.js';

const GWEI = 1_000_000_000n;
/** The most gas of a transaction (EIP-7825), and of bytes of a creation (EIP-3860). */
const MOST_GAS = 16_777_216n;
const MOST_CREATION_BYTES = 49_152;
/** The last nonce that a transaction must not have (EIP-2681). */
const LAST_NONCE = 2n ** 64n - 1n;

/**
 * Raw transactions that must be rejected, with the expected messages.
 *
 * @param {bigint} chainId
 * @param {{ privateKey: string, nonce: bigint }} key who has less than an ether, and the nonce that is its next
 * @returns {readonly { what: string, words: RegExp, raw: () => string }[]}
 */
export function refusals(chainId, key) {
  const sign = (/** @type {import('./raw-transaction.js').Fields} */ fields) =>
    signRaw(key.privateKey, { chainId, nonce: key.nonce, ...fields });
  return [
    ...signatures(sign, chainId),
    ...forms(sign),
    { what: 'nonce too low', words: /nonce too low/i, raw: () => sign({ nonce: 0n, value: 1n }) },
    { what: 'the last nonce there is', words: /nonce/i, raw: () => sign({ nonce: LAST_NONCE }) },
    {
      what: 'unfunded',
      words: /insufficient funds for gas \* price \+ value/i,
      raw: () => signRaw(newKey().privateKey, { chainId, nonce: 0n }),
    },
    {
      what: 'more value than there is',
      words: /insufficient funds for gas \* price \+ value/i,
      raw: () => sign({ value: 10n ** 18n }),
    },
    {
      what: 'a highest fee that the balance does not cover',
      words: /insufficient funds for gas \* price \+ value/i,
      raw: () => sign({ maxFee: 100_000n * GWEI }),
    },
    {
      what: 'more gas than EIP-7825 allows',
      words: /transaction gas limit too high|gas limit.*(cap|too high|exceeds)/i,
      raw: () => sign({ gas: MOST_GAS + 1n }),
    },
    { what: 'less gas than any needs', words: /intrinsic gas too low/i, raw: () => sign({ gas: 20_999n }) },
    {
      what: 'a fee below the base fee',
      words: /max fee per gas less than block base fee|transaction underpriced/i,
      raw: () => sign({ maxFee: 1n }),
    },
    {
      what: 'a gas price below the base fee',
      words: /max fee per gas less than block base fee|transaction underpriced/i,
      raw: () => sign({ type: 0, maxFee: 1n }),
    },
    {
      what: 'a tip above the highest fee',
      words: /max priority fee per gas higher than max fee per gas/i,
      raw: () => sign({ maxFee: 20n * GWEI, tip: 20n * GWEI + 1n }),
    },
    {
      what: 'too long a creation',
      words: /max initcode size exceeded/i,
      raw: () => sign({ to: '0x', data: `0x${'00'.repeat(MOST_CREATION_BYTES + 1)}`, gas: 5_000_000n }),
    },
  ];
}

/**
 * @param {(fields: import('./raw-transaction.js').Fields) => string} sign
 * @param {bigint} chainId
 */
function signatures(sign, chainId) {
  return [0, 1, 2].flatMap((kind) => {
    const type = /** @type {0 | 1 | 2} */ (kind);
    return [
      {
        what: `type ${type}: high s`,
        words: /invalid (transaction v, r, s values|signature|sender)|signature/i,
        raw: () => sign({ type, highS: true }),
      },
      {
        what: `type ${type}: r of 0`,
        words: /invalid (transaction v, r, s values|signature|sender)|signature/i,
        raw: () => sign({ type, zeroR: true }),
      },
      {
        what: `type ${type}: wrong chain id`,
        words: /chain ?id/i,
        raw: () => sign({ type, chainId: chainId + 1n }),
      },
    ];
  });
}

/**
 * @param {(fields: import('./raw-transaction.js').Fields) => string} sign
 */
function forms(sign) {
  const authorization = [number(0n), `0x${'22'.repeat(20)}`, number(0n), number(0n), number(1n), number(1n)];
  const unsupported = /transaction type not supported/i;
  const malformed = /rlp|decode|malformed|invalid|trailing|too short|canonical|bytes|empty|too few|zeros/i;
  return [
    {
      what: 'legacy for any chain',
      words: /only replay-protected/i,
      raw: () => sign({ type: 0, chainId: undefined }),
    },
    {
      what: 'type 3 without its blobs',
      words: /missing sidecar|without.*sidecar|blob/i,
      raw: () => sign({ type: 3, extra: [number(1n), [`0x01${'33'.repeat(31)}`]] }),
    },
    {
      what: 'type 4 without authorizations',
      words: /at least one authorization tuple/,
      raw: () => sign({ type: 4, gas: 100_000n, extra: [[]] }),
    },
    {
      what: 'type 4 that creates a contract',
      words: /EIP-7702 transaction cannot be used to create contract/,
      raw: () => sign({ type: 4, gas: 100_000n, to: '0x', extra: [[authorization]] }),
    },
    {
      what: 'type 4 with less gas than its authorization costs',
      words: /intrinsic gas too low/,
      raw: () => sign({ type: 4, gas: 45_999n, extra: [[authorization]] }),
    },
    { what: 'type 5', words: unsupported, raw: () => concat([toBeHex(5, 1), dataSlice(sign({}), 1)]) },
    { what: 'bytes behind it', words: malformed, raw: () => concat([sign({}), '0x00']) },
    { what: 'bytes missing', words: malformed, raw: () => sign({}).slice(0, -2) },
    { what: 'no bytes', words: malformed, raw: () => '0x' },
    { what: 'a list of nothing', words: malformed, raw: () => encodeRlp([]) },
    { what: 'a number with a zero in front', words: malformed, raw: () => sign({ nonceBytes: '0x0001' }) },
  ];
}
