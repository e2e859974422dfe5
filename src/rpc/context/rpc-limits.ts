import { JSON_DEPTH_MAX } from '../../json/parser.ts';
import { CALL_GAS_MAX } from '../../ledger/index.ts';

/** The bounds of the interface that an operator may set, with their defaults. */
export const DEFAULT_RPC_LIMITS = {
  /** Requests in one JSON-RPC batch. */
  batchRequestsMax: 1_000,
  /** Characters of the response to one JSON-RPC batch; the requests beyond it get an error and do not run. */
  batchResponseCharactersMax: 25 * 1024 * 1024,
  /** Milliseconds of computing for one batch; the requests beyond it get an error and do not run. */
  batchTimeMsMax: 30_000,
  /** Milliseconds that tasks run before the scheduler pauses for quick requests. */
  timeSliceMsMax: 2,
  jsonDepthMax: JSON_DEPTH_MAX,
  /** JSON values in one body, which bounds the time to parse it: 5 MiB may hold 1,700,000 objects. */
  jsonValuesMax: 200_000,
  /** Gas of one `eth_call` or `eth_estimateGas`. */
  callGasMax: CALL_GAS_MAX,
  /** Milliseconds of computing for one `eth_call` or `eth_estimateGas`. */
  callTimeMsMax: 1_000,
  /** Bytes of the traces of one request (256 MiB). */
  traceBytesMax: 256 * 1024 * 1024,
  /** Milliseconds of computing for the traces of one request. */
  traceTimeMsMax: 5_000,
  /** Event logs in one response, and hashes in the response of a block filter or pending-transaction filter. */
  logsMax: 10_000,
  /** Filters at one time. */
  filtersMax: 10_000,
  /** Addresses and topics of all filters together. */
  filterCriteriaMax: 250_000,
  /** Seconds without a poll after which a filter is removed. */
  filterTimeoutSeconds: 300,
};

export type RpcLimits = Readonly<typeof DEFAULT_RPC_LIMITS>;
