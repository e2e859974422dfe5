import type { UpstreamCall } from './upstream.ts';

/** Slots, and addresses, of one `eth_getStorageValues` of a remote node, as in geth. */
export const STORAGE_VALUES_MAX = 1_024;
/** Bytes of a response of a forked chain's remote node, decompressed (16 MiB). */
export const FORK_RESPONSE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of a response to calls with short results, such as an error page (128 KiB). */
const FORK_SMALL_RESPONSE_BYTES_MAX = 128 * 1024;
/** Bytes of the code of a remote account: more than EIP-170 and EIP-7954 allow (64 KiB). */
export const FORK_CODE_BYTES_MAX = 64 * 1024;
/** Bytes of an access list, and of a block with hashes of transactions, of a remote node (4 MiB). */
const FORK_LIST_BYTES_MAX = 4 * 1024 * 1024;

/** Bytes of a result that is one word, with its id and its name. */
const WORD_BYTES = 1_024;
/** Bytes of an address and its only slot in a list of words. */
const SLOT_BYTES = 128;
/** Bytes of the proof of an account or a slot: a trie of 64 levels, of which each node is in hexadecimal digits. */
const PROOF_BYTES = 64 * 1_100;

/** Bytes of the result of a method that cannot be longer. */
const METHOD_BYTES: Readonly<Record<string, (params: readonly unknown[]) => number>> = {
  eth_blockNumber: () => WORD_BYTES,
  eth_chainId: () => WORD_BYTES,
  eth_createAccessList: () => FORK_LIST_BYTES_MAX,
  eth_getBalance: () => WORD_BYTES,
  eth_getBlockByNumber: ([, hasTransactions]) =>
    hasTransactions === false ? FORK_LIST_BYTES_MAX : FORK_RESPONSE_BYTES_MAX,
  eth_getCode: () => 2 * FORK_CODE_BYTES_MAX + WORD_BYTES,
  eth_getProof: ([, slots]) => PROOF_BYTES * (1 + (Array.isArray(slots) ? slots.length : 0)),
  eth_getStorageAt: () => WORD_BYTES,
  eth_getStorageValues: () => STORAGE_VALUES_MAX * SLOT_BYTES,
  eth_getTransactionCount: () => WORD_BYTES,
};

/**
 * Returns the bytes that the response to calls may have: what their methods can need, and room for an error page. A
 * long response is parsed in one piece, while no other request is served.
 */
export function responseBytesMax(calls: readonly UpstreamCall[]): number {
  let bytes = FORK_SMALL_RESPONSE_BYTES_MAX;
  for (const { method, params } of calls) bytes += METHOD_BYTES[method]?.(params) ?? FORK_RESPONSE_BYTES_MAX;
  return Math.min(bytes, FORK_RESPONSE_BYTES_MAX);
}
