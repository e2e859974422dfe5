import type { Address, Hash } from '../protocol/index.ts';
import { invariant, processedTransactionHash } from '../protocol/index.ts';
import type { LogPosition, LogPositionQuery, Store } from '../store/index.ts';
import type { BlockSummary, Chain } from './chain.ts';
import type { OperationReceipt } from './records.ts';

/**
 * Which logs are looked for: the blocks from `fromBlock` to `toBlock`, both included; of any of `addresses`, or of
 * any contract when that is empty; with one of `topics[i]` at position i, or anything there when that is empty.
 */
export type LogQuery = LogPositionQuery;

/** A log with its place in the chain: specification 2.6. */
export interface FoundLog {
  readonly block: BlockSummary;
  /** Position of the log in the block. */
  readonly index: number;
  /** Index of the operation in the block. */
  readonly operation: number;
  /** The processed form of 2.4. */
  readonly transactionHash: Hash;
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** The answer to a query for logs. */
export interface LogMatches {
  /** In chain order. */
  readonly logs: readonly FoundLog[];
  /** False where more match than were asked for: `logs` then has the first of them. */
  readonly complete: boolean;
}

/** Finds the first `limit` logs that a query asks for. */
export function findLogs(query: LogQuery, limit: number, store: Store, chain: Chain): LogMatches {
  const reader = new LogReader(store, chain);
  const logs: FoundLog[] = [];
  for (const position of store.logPositions(query)) {
    if (logs.length === limit) return { logs, complete: false };
    logs.push(reader.read(position));
  }
  return { logs, complete: true };
}

/** Reads logs at positions in chain order; what neighbours share is read once. */
class LogReader {
  readonly #store: Store;
  readonly #chain: Chain;
  #operation: ReadOperation | undefined;

  constructor(store: Store, chain: Chain) {
    this.#store = store;
    this.#chain = chain;
  }

  read({ block, operation, offset }: LogPosition): FoundLog {
    let current = this.#operation;
    if (current?.block.number !== block || current.operation !== operation) {
      current = this.#readOperation(block, operation);
      this.#operation = current;
    }
    const log = current.receipt.logs[offset];
    invariant(log !== undefined, 'the index of logs names a log that its receipt does not have');
    const { address, topics, data } = log;
    return {
      block: current.block,
      index: current.receipt.firstLogIndex + offset,
      operation,
      transactionHash: current.transactionHash,
      address,
      topics,
      data,
    };
  }

  #readOperation(number: number, operation: number): ReadOperation {
    const block = this.#chain.blockByNumber(number);
    const receipt = this.#chain.receiptAt(number, operation);
    const hash = this.#store.operationHash(number, operation);
    invariant(
      block !== undefined && receipt !== undefined && hash !== undefined,
      'the index of logs names an operation that the store does not have',
    );
    return { block, operation, receipt, transactionHash: processedTransactionHash(number, operation, hash) };
  }
}

/** An operation that wrote logs. */
interface ReadOperation {
  readonly block: BlockSummary;
  readonly operation: number;
  readonly receipt: OperationReceipt;
  readonly transactionHash: Hash;
}
