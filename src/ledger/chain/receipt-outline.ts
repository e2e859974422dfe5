import type { Log } from '../../evm/index.ts';
import { addressCodec, ByteReader, optional } from '../../protocol/index.ts';
import { logCodec, type OperationReceipt, statusCodec } from './records.ts';

/** A receipt whose logs, possibly tens of thousands, are read one by one on demand. */
export interface ReceiptOutline extends Omit<OperationReceipt, 'logs'> {
  readonly logCount: number;
  /** Reads the logs in their order. */
  logs(): Iterable<Log>;
}

const createdCodec = optional(addressCodec);
const ADDRESS_BYTES = 20;
const HASH_BYTES = 32;

/** Returns the outline of a decoded receipt. */
export function outlineOf({ logs, ...rest }: OperationReceipt): ReceiptOutline {
  return { ...rest, logCount: logs.length, logs: () => logs };
}

/** The outline of a stored receipt (`receiptCodec`). Fields behind the logs are read on demand. */
export class StoredReceipt implements ReceiptOutline {
  readonly status: OperationReceipt['status'];
  readonly gasUsed: bigint;
  readonly contractAddress: OperationReceipt['contractAddress'];
  readonly logCount: number;
  readonly #logBytes: Uint8Array;
  #tail: Pick<OperationReceipt, 'firstLogIndex' | 'output'> | undefined;

  /** @throws DecodeError */
  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    this.status = statusCodec.read(reader);
    this.gasUsed = reader.readUint64();
    this.contractAddress = createdCodec.read(reader);
    this.logCount = reader.readCount();
    this.#logBytes = bytes.subarray(reader.offset);
  }

  get firstLogIndex(): number {
    return this.#readTail().firstLogIndex;
  }

  get output(): Uint8Array {
    return this.#readTail().output;
  }

  *logs(): Generator<Log> {
    const reader = new ByteReader(this.#logBytes);
    for (let count = 0; count < this.logCount; count += 1) yield logCodec.read(reader);
  }

  #readTail(): Pick<OperationReceipt, 'firstLogIndex' | 'output'> {
    if (this.#tail !== undefined) return this.#tail;
    const reader = new ByteReader(this.#logBytes);
    for (let count = 0; count < this.logCount; count += 1) {
      reader.skip(ADDRESS_BYTES);
      reader.skip(HASH_BYTES * reader.readCount());
      reader.skip(reader.readCount());
    }
    const firstLogIndex = reader.readVarint(Number.MAX_SAFE_INTEGER);
    this.#tail = { firstLogIndex, output: reader.readBytes(reader.readCount()) };
    return this.#tail;
  }
}
