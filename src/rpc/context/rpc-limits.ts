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
  TRACE_BYTES_MAX,
  TRACE_TIME_MS_MAX,
  TURN_MS_MAX,
} from '../../limits.ts';

/** The bounds of the interface that an operator may move. */
export interface RpcLimits {
  /** Requests in one batch. */
  readonly batchRequestsMax: number;
  /** Characters of the response to one batch. */
  readonly batchResponseCharactersMax: number;
  /** Milliseconds of computing for one batch. */
  readonly batchTimeMsMax: number;
  /** Milliseconds that calls which may take long run before everything else gets its turn. */
  readonly turnMsMax: number;
  /** How deep a request may be nested. */
  readonly jsonDepthMax: number;
  /** JSON values that one body may hold. */
  readonly jsonValuesMax: number;
  /** Gas of one `eth_call` or `eth_estimateGas`. */
  readonly callGasMax: bigint;
  /** Milliseconds of computing for one `eth_call` or `eth_estimateGas`. */
  readonly callTimeMsMax: number;
  /** Bytes of the traces of one request. */
  readonly traceBytesMax: number;
  /** Milliseconds of computing for the traces of one request. */
  readonly traceTimeMsMax: number;
  /** Logs in one response; hashes in the response of a block filter or of a pending-transaction filter. */
  readonly logsMax: number;
  /** Filters at one time. */
  readonly filtersMax: number;
  /** Addresses and topics that all filters name together. */
  readonly filterCriteriaMax: number;
  /** Seconds after which a filter is removed that nobody polls. */
  readonly filterTimeoutSeconds: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  batchRequestsMax: BATCH_REQUESTS_MAX,
  batchResponseCharactersMax: BATCH_RESPONSE_CHARACTERS_MAX,
  batchTimeMsMax: BATCH_TIME_MS_MAX,
  turnMsMax: TURN_MS_MAX,
  jsonDepthMax: JSON_DEPTH_MAX,
  jsonValuesMax: JSON_VALUES_MAX,
  callGasMax: CALL_GAS_MAX,
  callTimeMsMax: CALL_TIME_MS_MAX,
  traceBytesMax: TRACE_BYTES_MAX,
  traceTimeMsMax: TRACE_TIME_MS_MAX,
  logsMax: LOGS_MAX,
  filtersMax: FILTERS_MAX,
  filterCriteriaMax: FILTER_CRITERIA_MAX,
  filterTimeoutSeconds: FILTER_TIMEOUT_SECONDS,
};
