import { RemoteDataError, type UpstreamFailure } from './fork-errors.ts';
import type { Exchange } from './http-exchange.ts';
import { parseInSlices } from './long-json.ts';
import { isBatchRefusal, isRateLimit, isRevert, namesSize, type RpcError } from './retry.ts';
import type { UpstreamOutcome } from './upstream.ts';

/** The reason why calls have no outcome, and how to go on. */
export interface Problem {
  readonly failure: UpstreamFailure;
  readonly description: string;
  /**
   * `retry`: the same again. `retry in halves`: perhaps fewer calls at once succeed. `smaller batches`, `no batches`:
   * the remote node refuses batches of this size, or all. `give up`: a retry cannot succeed.
   */
  readonly next: 'retry' | 'retry in halves' | 'smaller batches' | 'no batches' | 'give up';
}

/** The content of a response: outcomes by id, and the problem of the calls without one. */
export interface Reading {
  readonly outcomes: ReadonlyMap<number, UpstreamOutcome>;
  readonly problem: Problem | undefined;
}

type Response = Extract<Exchange, { readonly kind: 'response' }>;

const LATE_STATUS = 408;
const TOO_LONG_STATUS = 413;
const RATE_LIMIT_STATUS = 429;

/** Explanations of statuses for the user. */
const STATUS_MEANINGS: ReadonlyMap<number, string> = new Map([
  [401, ': it requires a key, or refuses this one'],
  [402, ': it requires payment'],
  [403, ': it refuses this key, or this client'],
  [404, ': the URL has another path, or a wrong key'],
  [RATE_LIMIT_STATUS, ': it limits the rate of requests'],
]);

/** Statuses that refuse the key, unless they refuse a batch. */
const KEY_STATUSES: readonly number[] = [401, 402];

const NO_OUTCOMES: ReadonlyMap<number, UpstreamOutcome> = new Map();

/** The error of a response whose calls each need too long a result. */
const RESPONSE_TOO_LONG = /response (is )?too (large|long|big)|response size/i;

/**
 * Reads the response to calls with these ids. An outcome is complete and has the id of its call; nothing else of the
 * response is used.
 */
export async function readResponse(exchange: Exchange, ids: readonly number[]): Promise<Reading> {
  if (exchange.kind === 'failure') {
    const isHalved = exchange.failure === 'too long' && ids.length > 1;
    const isFinal = ['closed', 'too long'].includes(exchange.failure);
    return failed(exchange, isHalved ? 'retry in halves' : isFinal ? 'give up' : 'retry');
  }
  const parsed = await parse(exchange.text);
  return statusReading(exchange, parsed, ids) ?? readItems(parsed, ids) ?? unreadable(exchange, parsed, ids);
}

/** Reads a response whose status alone decides; undefined for others, such as an error of a call with HTTP 400. */
function statusReading({ status }: Response, parsed: unknown, ids: readonly number[]): Reading | undefined {
  if (status >= 300 && status < 400) {
    return failed(
      { failure: 'refused', description: `responded with a redirect (HTTP ${status})` },
      'give up',
    );
  }
  if (status === RATE_LIMIT_STATUS) return failed(statusProblem(status, 'rate limit', parsed), 'retry');
  if (status === LATE_STATUS) return failed(statusProblem(status, 'timeout', parsed), 'retry');
  const isKeyRefused = KEY_STATUSES.includes(status) && ids.length === 1;
  return isKeyRefused ? failed(statusProblem(status, 'refused', parsed), 'give up') : undefined;
}

/** Returns the problem of a response without outcomes. */
function unreadable({ status, text }: Response, parsed: unknown, ids: readonly number[]): Reading {
  const isBatch = ids.length > 1;
  if (status >= 500) return failed(statusProblem(status, 'server error', parsed), 'retry');
  if (status >= 400) {
    const problem = statusProblem(status, 'refused', parsed);
    if (!isBatch) return failed(problem, 'give up');
    const isTooLong = status === TOO_LONG_STATUS || (isBatchRefusal({ message: text }) && namesSize(text));
    return failed(problem, isTooLong ? 'smaller batches' : 'no batches');
  }
  const error = outcomeOf(parsed);
  if (error?.kind === 'error') {
    return failed(
      { failure: isRateLimit(error) ? 'rate limit' : 'malformed', description: described(error) },
      'retry',
    );
  }
  const description =
    parsed === undefined ? 'sent a text that is not JSON' : 'sent JSON without a result for each call';
  return failed({ failure: 'malformed', description }, 'retry');
}

/** Reads the outcomes of a response; undefined if it is none of JSON-RPC with these ids. */
function readItems(parsed: unknown, ids: readonly number[]): Reading | undefined {
  const items = Array.isArray(parsed) ? parsed : [parsed];
  const isWhole = !Array.isArray(parsed) || (items.length === 1 && !ids.includes(idOf(items[0])));
  if (ids.length > 1 && isWhole) {
    const problem = batchProblem(items[0], Array.isArray(parsed));
    return problem === undefined ? undefined : { outcomes: NO_OUTCOMES, problem };
  }
  const outcomes = new Map<number, UpstreamOutcome>();
  for (const item of items) {
    const outcome = outcomeOf(item);
    const id = idOf(item);
    // An unknown or repeated id: the response may be that of another request.
    if (outcome === undefined || !ids.includes(id) || outcomes.has(id)) return undefined;
    outcomes.set(id, outcome);
  }
  return outcomes.size === 0 ? undefined : withoutFailures(outcomes, ids);
}

/** Removes outcomes that are no outcome of the call itself. */
function withoutFailures(outcomes: Map<number, UpstreamOutcome>, ids: readonly number[]): Reading {
  const received = outcomes.size;
  let problem: Problem | undefined;
  for (const [id, outcome] of outcomes) {
    const found = outcome.kind === 'error' ? itemProblem(outcome, ids.length > 1) : undefined;
    if (found === undefined) continue;
    problem = found;
    outcomes.delete(id);
  }
  if (problem !== undefined || received === ids.length) return { outcomes, problem };
  const description = `sent no result for ${ids.length - received} of ${ids.length} calls of a batch`;
  const isFirstOnly = received === 1 && ids.length > 2;
  return {
    outcomes,
    problem: { failure: 'malformed', description, next: isFirstOnly ? 'no batches' : 'retry in halves' },
  };
}

/** Returns the problem of an error of one call; undefined for an outcome of the call itself. */
function itemProblem(error: RpcError, isBatch: boolean): Problem | undefined {
  if (isRevert(error)) return undefined;
  const description = described(error);
  if (isBatch && isBatchRefusal(error))
    return { failure: 'refused', description, next: nextAfterRefusal(error) };
  if (isRateLimit(error)) return { failure: 'rate limit', description, next: 'retry' };
  if (!isBatch || !RESPONSE_TOO_LONG.test(error.message)) return undefined;
  return { failure: 'too long', description, next: 'retry in halves' };
}

/** Returns the problem of one response to a whole batch; undefined for one that is none of JSON-RPC. */
function batchProblem(item: unknown, isInArray: boolean): Problem | undefined {
  const outcome = outcomeOf(item);
  if (outcome === undefined || (outcome.kind === 'result' && isInArray)) return undefined;
  if (outcome.kind === 'result') {
    return { failure: 'refused', description: 'responded only to one call of a batch', next: 'no batches' };
  }
  const description = described(outcome);
  const isLimit = isRateLimit(outcome) && !isBatchRefusal(outcome);
  if (isLimit) return { failure: 'rate limit', description, next: 'retry in halves' };
  return { failure: 'refused', description, next: nextAfterRefusal(outcome) };
}

function nextAfterRefusal({ message }: RpcError): Problem['next'] {
  return namesSize(message) ? 'smaller batches' : 'no batches';
}

/** Reads a response object (JSON-RPC 2.0, section 5); undefined for anything else. */
function outcomeOf(item: unknown): UpstreamOutcome | undefined {
  if (!isObject(item)) return undefined;
  const { error } = item;
  if (isObject(error)) {
    const { code, message, data } = error;
    if (typeof code !== 'number' || !Number.isSafeInteger(code)) return undefined;
    // Other data than bytes, such as those of a revert, may repeat the URL.
    const bytes = typeof data === 'string' && /^0x[0-9a-f]*$/i.test(data) ? { data } : {};
    return { kind: 'error', code, message: typeof message === 'string' ? message : '', ...bytes };
  }
  const hasError = error !== undefined && error !== null;
  return hasError || item.result === undefined ? undefined : { kind: 'result', result: item.result };
}

function idOf(item: unknown): number {
  return isObject(item) && typeof item.id === 'number' ? item.id : Number.NaN;
}

/** Returns true for a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined for another text, and for values nested so deep that recursion over them may fail. */
async function parse(text: string): Promise<unknown> {
  try {
    return await parseInSlices(text);
  } catch (error) {
    if (!(error instanceof RemoteDataError)) throw error;
    // The message of the parser repeats the text.
    return undefined;
  }
}

function statusProblem(
  status: number,
  failure: UpstreamFailure,
  parsed: unknown,
): Pick<Problem, 'failure' | 'description'> {
  const error = outcomeOf(parsed);
  const reason = error?.kind === 'error' ? ` and ${described(error)}` : '';
  return {
    failure,
    description: `responded with HTTP ${status}${STATUS_MEANINGS.get(status) ?? ''}${reason}`,
  };
}

function described({ code, message }: RpcError): string {
  return `reported error ${code}: ${message}`;
}

function failed(problem: Pick<Problem, 'failure' | 'description'>, next: Problem['next']): Reading {
  return {
    outcomes: NO_OUTCOMES,
    problem: { failure: problem.failure, description: problem.description, next },
  };
}
