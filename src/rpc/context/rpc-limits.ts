import {
  BATCH_REQUESTS_MAX,
  BATCH_RESPONSE_CHARACTERS_MAX,
  BATCH_TIME_MS_MAX,
  CALL_GAS_MAX,
  CALL_TIME_MS_MAX,
  FILTER_CRITERIA_MAX,
  FILTER_TIMEOUT_SECONDS,
  FILTERS_MAX,
  JSON_DEPTH_MAX,
  JSON_VALUES_MAX,
  LOGS_MAX,
  TIME_SLICE_MS_MAX,
  TRACE_BYTES_MAX,
  TRACE_TIME_MS_MAX,
} from '../../limits.ts';

/** The bounds of the interface that an operator may set, with their defaults. */
export const DEFAULT_RPC_LIMITS = {
  batchRequestsMax: BATCH_REQUESTS_MAX,
  batchResponseCharactersMax: BATCH_RESPONSE_CHARACTERS_MAX,
  /** Milliseconds of computing for one batch. */
  batchTimeMsMax: BATCH_TIME_MS_MAX,
  /** Milliseconds of a time slice of calls that may take long. */
  timeSliceMsMax: TIME_SLICE_MS_MAX,
  jsonDepthMax: JSON_DEPTH_MAX,
  jsonValuesMax: JSON_VALUES_MAX,
  /** Gas of one `eth_call` or `eth_estimateGas`. */
  callGasMax: CALL_GAS_MAX,
  /** Milliseconds of computing for one `eth_call` or `eth_estimateGas`. */
  callTimeMsMax: CALL_TIME_MS_MAX,
  /** Bytes of the traces of one request. */
  traceBytesMax: TRACE_BYTES_MAX,
  /** Milliseconds of computing for the traces of one request. */
  traceTimeMsMax: TRACE_TIME_MS_MAX,
  /** Logs in one response; hashes in the response of a block filter or of a pending-transaction filter. */
  logsMax: LOGS_MAX,
  filtersMax: FILTERS_MAX,
  /** Addresses and topics of all filters together. */
  filterCriteriaMax: FILTER_CRITERIA_MAX,
  /** Seconds without a poll after which a filter is removed. */
  filterTimeoutSeconds: FILTER_TIMEOUT_SECONDS,
};

export type RpcLimits = Readonly<typeof DEFAULT_RPC_LIMITS>;
