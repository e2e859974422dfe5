import type { FoundLog } from '../../ledger/index.ts';
import type { Hash } from '../../protocol/index.ts';
import {
  arrayShape,
  data,
  eitherShape,
  foundLog,
  type Hexadecimal,
  hashShape,
  type LogObject,
  logShape,
  type ValueOf,
} from '../../view/index.ts';

/** What a filter reports: logs for a log filter, hashes for the other kinds. */
export const filterItemsShape = eitherShape(arrayShape(logShape), arrayShape(hashShape));
/** What a poll of a filter answers. */
export type FilterItems = ValueOf<typeof filterItemsShape>;

/** How what a filter finds is shown. */
export interface FilterView {
  logObjects(logs: readonly FoundLog[]): LogObject[];
  /** @param hashes of accepted operations, in the pending form */
  acceptedHashes(hashes: readonly Hash[]): Hexadecimal[];
}

/** The view of the ledger's own interface. */
export const LEDGER_FILTER_VIEW: FilterView = {
  logObjects: (logs) => logs.map(foundLog),
  acceptedHashes: (hashes) => hashes.map(data),
};

/** A filter: what it is about, and how far its client has read; never the items themselves. */
export interface Filter {
  /** How many addresses and topics it names. */
  readonly criteria: number;
  /**
   * The items since the last poll, in order; the next poll goes on behind them.
   * @throws LimitError when they are too many for one response; the next poll begins where this one did
   */
  poll(): FilterItems;
  /**
   * What `eth_getFilterLogs` answers: all logs of a log filter, and of others what the next poll would.
   * @throws LimitError when they are too many for one response
   */
  logs(): FilterItems;
  /** Blocks have vanished: the next poll begins behind the head at the latest. */
  forget(): void;
  /** Ends it. */
  close(): void;
}
