import {
  type BlockId,
  type Hash,
  type OperationHash,
  toBlockId,
  toHash,
  toOperationHash,
} from '../values.ts';

/** Bytes of an interface's 32-byte hash before the 20 bytes of the native one. */
const LEAD_BYTES = 12;
const BLOCK_OFFSET = 4;
const INDEX_OFFSET = 8;

/** The parts of a transaction hash of the interface (docs/interface.md#transaction-hash). */
export type TransactionHashParts =
  | { readonly kind: 'pending'; readonly operationHash: OperationHash }
  | {
      readonly kind: 'processed';
      readonly block: number;
      readonly index: number;
      readonly operationHash: OperationHash;
    };

function withLead(native: Uint8Array): Hash {
  const hash = new Uint8Array(32);
  hash.set(native, LEAD_BYTES);
  return toHash(hash);
}

function leadingZeroBytes(hash: Hash, count: number): boolean {
  for (let index = 0; index < count; index++) if (hash[index] !== 0) return false;
  return true;
}

/** Returns the interface's block hash: 12 zero bytes, then the id (docs/interface.md#block-hash). */
export function blockHashOf(id: BlockId): Hash {
  return withLead(id);
}

/** Returns the id in a block hash of the interface; undefined unless it has 12 leading zero bytes. */
export function blockIdOfHash(hash: Hash): BlockId | undefined {
  return leadingZeroBytes(hash, LEAD_BYTES) ? toBlockId(hash.slice(LEAD_BYTES)) : undefined;
}

/**
 * Returns the transaction hash of a pending operation: 12 zero bytes, then its hash
 * (docs/interface.md#transaction-hash).
 */
export function pendingTransactionHash(operationHash: OperationHash): Hash {
  return withLead(operationHash);
}

/**
 * Returns the transaction hash of an included operation: four zero bytes, the block's number and the operation's index
 * in four bytes each, big endian, then its hash (docs/interface.md#transaction-hash).
 */
export function processedTransactionHash(block: number, index: number, operationHash: OperationHash): Hash {
  const hash = withLead(operationHash);
  const view = new DataView(hash.buffer);
  view.setUint32(BLOCK_OFFSET, block);
  view.setUint32(INDEX_OFFSET, index);
  return hash;
}

/** Splits a transaction hash of the interface; undefined unless its first four bytes are zero. */
export function splitTransactionHash(hash: Hash): TransactionHashParts | undefined {
  if (!leadingZeroBytes(hash, BLOCK_OFFSET)) return undefined;
  const operationHash = toOperationHash(hash.slice(LEAD_BYTES));
  if (leadingZeroBytes(hash, LEAD_BYTES)) return { kind: 'pending', operationHash };
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  return {
    kind: 'processed',
    block: view.getUint32(BLOCK_OFFSET),
    index: view.getUint32(INDEX_OFFSET),
    operationHash,
  };
}
