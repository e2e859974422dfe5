import { concatBytes, readUint32, writeUint32 } from '../../protocol/index.ts';
import type { StoredTransaction } from '../operations.ts';
import type { StateEntry } from '../store.ts';

/** Bytes of the number of operations, before the transaction. */
const COUNT_BYTES = 4;

/** Writes the value of a transaction: the number of its operations, then its bytes. */
export function encodeTransaction(operationCount: number, bytes: Uint8Array): Uint8Array {
  const count = new Uint8Array(COUNT_BYTES);
  writeUint32(count, 0, operationCount);
  return concatBytes(count, bytes);
}

/** Reads an entry of the table of transactions. */
export function decodeTransaction({ key, value }: StateEntry): StoredTransaction {
  return { firstOperation: readUint32(key, 4), bytes: value.subarray(COUNT_BYTES) };
}

/** Reads the number of operations of such an entry. */
export function operationCountOf({ value }: StateEntry): number {
  return readUint32(value, 0);
}
