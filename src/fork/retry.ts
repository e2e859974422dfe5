/** Milliseconds of any pause before a retry, also if the remote node asks for more. */
const FORK_PAUSE_MS_MAX = 20_000;

/** An error object of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** Codes by which remote nodes report a rate limit. */
const RATE_LIMIT_CODES = new Set([-32_005, 429, -32_016]);
/** The code of a revert of a call. */
const REVERT_CODE = 3;
const RATE_LIMIT_WORDS =
  /rate.?limit|too many requests|compute units|throughput|request (count|limit)|requests? per|over capacity|quota/i;
/** Refusals of a range of event logs, for which some remote nodes use the code of a rate limit. */
const RANGE_WORDS = new RegExp(
  [
    '(block|log)s? range|range (is )?(too|exceed|limit)|range of [\\d,]+ blocks|max(imum)? (block|range)',
    'too many (blocks|logs|results)|more than [\\d,]+ (results|logs)|(logs?|results?) (limit|exceed)',
    'query (timeout|exceed|returned|result)|response size|limited to|larger than',
    'exceeds? (the )?(max|limit|range)',
  ].join('|'),
  'i',
);
const BATCH_WORDS = /batch/i;
const SIZE_WORDS = /size|too (large|big|long|many)|limit|max|exceed|at most|more than|up to|\d/i;

/** Returns true for an error that means a rate limit: the same call may succeed later. */
export function isRateLimit(error: RpcError): boolean {
  const isNamed = RATE_LIMIT_CODES.has(error.code) || RATE_LIMIT_WORDS.test(error.message);
  return isNamed && !isRangeRefusal(error) && !isRevert(error);
}

/** Returns true for a revert: its message has the words of a contract, which mean nothing about the remote node. */
export function isRevert({ code, message }: RpcError): boolean {
  return code === REVERT_CODE || /revert/i.test(message);
}

/** Returns true for an error that refuses a range of event logs as too long, or with too many logs. */
export function isRangeRefusal({ message }: RpcError): boolean {
  return RANGE_WORDS.test(message) && !/rate.?limit|per second|compute units/i.test(message);
}

/** Returns true for an error about the batch that contains the call, not about the call. */
export function isBatchRefusal({ message }: Pick<RpcError, 'message'>): boolean {
  return BATCH_WORDS.test(message);
}

/** Returns true for a text that refuses a batch because of its size, rather than batches. */
export function namesSize(text: string): boolean {
  return SIZE_WORDS.test(text);
}

/** Reads `Retry-After` (RFC 9110, 10.2.3), bounded. Returns milliseconds; undefined without a valid value. */
export function retryAfterMs(value: string | null, wallNow: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\s*(\d{1,10})(\.\d+)?\s*$/.exec(value);
  const milliseconds = seconds === null ? Date.parse(value) - wallNow : Number(value) * 1_000;
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(milliseconds, 0), FORK_PAUSE_MS_MAX);
}

/**
 * Returns the milliseconds before a retry: twice as many each time, of which a random half, so that several clients do
 * not retry together.
 *
 * @param failures in a row; at least one
 * @param random from 0 to 1
 */
export function backoffMs(startMs: number, failures: number, random: number): number {
  const whole = Math.min(startMs * 2 ** (failures - 1), FORK_PAUSE_MS_MAX);
  return whole / 2 + (whole / 2) * random;
}
