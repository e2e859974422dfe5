import type { IncludedOperation, OperationReceipt } from '../../ledger/index.ts';
import {
  concatBytes,
  encodeRlp,
  type Hash,
  isEthereumTransaction,
  listOfRlp,
  numberToBytes,
  Trie,
} from '../../protocol/index.ts';

/** The first byte of a list in RLP. Typed transactions begin with a smaller one: their type (EIP-2718). */
const LIST = 0xc0;
const SUCCESS = Uint8Array.of(1);
const FAILURE = new Uint8Array();

/** A log of a receipt. */
type Log = OperationReceipt['logs'][number];

/**
 * Returns the leaf of an operation in the trie of a block's transactions: the signed bytes of an Ethereum transaction,
 * as in Ethereum. A native operation has no such bytes: its leaf is the RLP of its hash.
 */
export function transactionLeaf({ operation, hash }: IncludedOperation): Uint8Array {
  return isEthereumTransaction(operation) ? operation.raw : encodeRlp(hash);
}

/** Encodes a log as an item of its receipt (yellow paper, section 4.3.1). */
export function logItem({ address, topics, data }: Log): Uint8Array {
  return encodeRlp([address, topics, data]);
}

/**
 * Returns the leaf of an operation in the trie of a block's receipts (EIP-658, EIP-2718); a native one has type 0.
 *
 * @param gasUsed gas that the block used up to the end of the operation
 * @param logs results of `logItem`
 */
export function receiptLeaf(
  { operation }: IncludedOperation,
  { status }: Pick<OperationReceipt, 'status'>,
  gasUsed: bigint,
  bloom: Uint8Array,
  logs: readonly Uint8Array[],
): Uint8Array {
  const fields = [status === 'success' ? SUCCESS : FAILURE, numberToBytes(gasUsed), bloom].map(encodeRlp);
  const receipt = listOfRlp([...fields, listOfRlp(logs)]);
  const [first = LIST] = isEthereumTransaction(operation) ? operation.raw : [];
  if (first >= LIST) return receipt;
  return concatBytes(Uint8Array.of(first), receipt);
}

/** Returns the root of a trie of leaves by their index. */
export function rootOfLeaves(leaves: readonly Uint8Array[]): Hash {
  const trie = new Trie();
  for (const [index, leaf] of leaves.entries()) trie.set(encodeRlp(numberToBytes(BigInt(index))), leaf);
  return trie.commit().root;
}
