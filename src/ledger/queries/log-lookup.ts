import type { Address, Hash } from '../../protocol/index.ts';
import { invariant, processedTransactionHash } from '../../protocol/index.ts';
import type { ChainReader, LogPosition, LogPositionQuery } from '../../store/index.ts';
import { LogSearchLimitError } from '../../store/index.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockSummary, OperationReceipt } from '../chain/records.ts';

/** Logs with fewer topics than a query names that one search reads. */
const SHORTER_LOGS_MAX = 50_000;
/** Bytes of event logs that one search reads to find those that match (256 MiB). */
const LOG_READ_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A query for event logs: in the blocks from `fromBlock` to `toBlock`, both included; of any of `addresses`, or of any
 * contract if that is empty; with one of `topics[i]` at position i, or any topic there if that is empty. A log with
 * fewer topics does not match, as in geth (eth/filters, `includes`).
 */
export type LogQuery = LogPositionQuery;

/** A log with its position in the chain: docs/interface.md#log-object. */
export interface FoundLog {
  readonly block: BlockSummary;
  /** Position of the log in the block. */
  readonly index: number;
  /** Index of the operation in the block. */
  readonly operation: number;
  /** The processed form: docs/interface.md#transaction-hash. */
  readonly transactionHash: Hash;
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** The result of a query for logs. */
export interface LogMatches {
  /** In chain order. */
  readonly logs: readonly FoundLog[];
  /** False if more logs match than the limit, or the search was aborted: `logs` then has the first of them. */
  readonly complete: boolean;
  /** Block at which the search was aborted for its cost; undefined otherwise. */
  readonly abortedAt?: number | undefined;
}

/** Finds the first `limit` logs of a query. */
export function searchLogs(query: LogQuery, limit: number, store: ChainReader, chain: Chain): LogMatches {
  const reader = new LogReader(store, chain);
  const logs: FoundLog[] = [];
  const topicsMin = query.topics.length;
  // Only a log in the list of its last position surely has that many topics.
  const mayBeShorter = query.topics.at(-1)?.length === 0;
  let shorterLogs = 0;
  try {
    for (const position of store.logPositions(query)) {
      if (logs.length === limit && !mayBeShorter) return { logs, complete: false };
      if (reader.bytesRead > LOG_READ_BYTES_MAX || shorterLogs > SHORTER_LOGS_MAX)
        return { logs, complete: false, abortedAt: position.block };
      const log = reader.read(position);
      if (log.topics.length < topicsMin) shorterLogs += 1;
      else if (logs.length === limit) return { logs, complete: false };
      else logs.push(log);
    }
  } catch (error) {
    if (!(error instanceof LogSearchLimitError)) throw error;
    return { logs, complete: false, abortedAt: error.block };
  }
  return { logs, complete: true };
}

/** Reads logs at positions in chain order; what neighbours share is read once. */
class LogReader {
  readonly #store: ChainReader;
  readonly #chain: Chain;
  #operation: ReadOperation | undefined;
  /** Bytes of data in all logs that were read, non-matching ones included. */
  bytesRead = 0;

  constructor(store: ChainReader, chain: Chain) {
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
    this.bytesRead += receipt.logs.reduce((sum, { data }) => sum + data.length, 0);
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
