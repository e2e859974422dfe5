import { setMaxListeners } from 'node:events';
import { sleep, systemTime, type Time } from '../time/time.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import { UpstreamError, type UpstreamFailure } from './fork-errors.ts';
import { post } from './http-exchange.ts';
import { type Problem, readResponse } from './read-response.ts';
import { RequestGate } from './request-gate.ts';
import { responseBytesMax } from './response-bounds.ts';
import { backoffMs, retryAfterMs } from './retry.ts';
import type { Upstream, UpstreamCall, UpstreamCounts, UpstreamOutcome } from './upstream.ts';

/** Calls, and bytes (512 KiB), of one HTTP request to a remote node. */
const FORK_BATCH_CALLS_MAX = 100;
const FORK_BATCH_BYTES_MAX = 512 * 1024;
/** HTTP requests to a remote node at one time. */
const FORK_REQUESTS_MAX = 8;
/** Retries of a failed request to a remote node, and milliseconds of one request, by default. */
export const FORK_RETRIES_DEFAULT = 5;
export const FORK_TIMEOUT_MS_DEFAULT = 30_000;
/** Milliseconds of all attempts of one set of calls. */
const FORK_CALLS_MS_MAX = 120_000;
/** Default milliseconds of the first pause before a retry. */
export const FORK_BACKOFF_MS_DEFAULT = 250;

/** Options of the connection to a remote node. */
export interface HttpUpstreamOptions {
  /** A user name and a password in it become a header. */
  readonly url: string;
  /** Further headers, each `Name: value`. */
  readonly headers?: readonly string[];
  /** Retries of a failed request. */
  readonly retries?: number;
  /** Milliseconds of one HTTP request. */
  readonly timeoutMs?: number;
  /** HTTP requests a second; undefined for any number. */
  readonly rate?: number | undefined;
  /** Milliseconds of the first pause before a retry; each further one is twice as long. */
  readonly backoffMs?: number;
  readonly time?: Time;
  /** Returns random numbers from 0 to 1. */
  readonly random?: () => number;
}

/** The state of one `calls()`. */
interface Run {
  readonly calls: readonly UpstreamCall[];
  /** By the index of the call. */
  readonly outcomes: (UpstreamOutcome | undefined)[];
  readonly began: number;
  /** Aborted when the run ends by an error, so that its other requests end. */
  readonly stop: AbortController;
  failure: unknown;
}

/** Advice to the user after a failure. */
const ADVICE: Readonly<Record<UpstreamFailure, string>> = {
  closed: 'connect to it again',
  malformed: 'check that the URL is that of a JSON-RPC node',
  'rate limit': 'lower --fork-rate, wait, or use another remote node',
  refused: 'check the URL, its key and --fork-header',
  'server error': 'retry later, raise --fork-retries, or use another remote node',
  timeout: 'raise --fork-timeout, or use another remote node',
  'too long': 'ask for less, or use another remote node',
  unreachable: 'check the URL and the network',
};

/** A remote node over HTTP. */
export class HttpUpstream implements Upstream {
  readonly name: string;
  readonly #endpoint: Endpoint;
  readonly #gate: RequestGate;
  readonly #time: Time;
  readonly #retries: number;
  readonly #timeoutMs: number;
  readonly #backoffMs: number;
  readonly #random: () => number;
  readonly #runs = new Set<Run>();
  /** Calls that the remote node accepts in one batch, as far as known. */
  #batchMax = FORK_BATCH_CALLS_MAX;
  #nextId = 1;
  #isClosed = false;
  #counts: UpstreamCounts = { requests: 0, calls: 0, milliseconds: 0 };

  /** @throws {FormatError} for a URL that is not one of HTTP, or an impossible header */
  constructor(options: HttpUpstreamOptions) {
    this.#endpoint = parseEndpoint(options.url, options.headers);
    this.name = this.#endpoint.name;
    this.#time = options.time ?? systemTime;
    this.#gate = new RequestGate(this.#time, FORK_REQUESTS_MAX, options.rate);
    this.#retries = options.retries ?? FORK_RETRIES_DEFAULT;
    this.#timeoutMs = options.timeoutMs ?? FORK_TIMEOUT_MS_DEFAULT;
    this.#backoffMs = options.backoffMs ?? FORK_BACKOFF_MS_DEFAULT;
    this.#random = options.random ?? Math.random;
  }

  get counts(): UpstreamCounts {
    return this.#counts;
  }

  /**
   * Calls the remote node. Returns the outcomes in the order of the calls; an error that it reports for a call is the
   * outcome of that call.
   *
   * @throws {UpstreamError} if a call has no valid response within the bounds of retries and time
   */
  async calls(calls: readonly UpstreamCall[]): Promise<readonly UpstreamOutcome[]> {
    if (calls.length === 0) return [];
    const run: Run = {
      calls,
      outcomes: new Array<UpstreamOutcome | undefined>(calls.length).fill(undefined),
      began: this.#time.now(),
      stop: new AbortController(),
      failure: undefined,
    };
    // Each of its requests listens, and a run may have any number.
    setMaxListeners(0, run.stop.signal);
    this.#runs.add(run);
    this.#count({ calls: calls.length });
    try {
      await this.#settle(run, [...calls.keys()], 0);
    } finally {
      this.#runs.delete(run);
    }
    return run.outcomes.map((outcome) => outcome ?? this.#failure(unanswered, 0, run));
  }

  /** Ends requests in flight, and refuses further ones. */
  close(): Promise<void> {
    this.#isClosed = true;
    for (const { stop } of this.#runs) stop.abort();
    return Promise.resolve();
  }

  /** Gets the outcomes of some calls, in one request or in several at once. @param attempts failed ones before */
  async #settle(run: Run, indices: readonly number[], attempts: number): Promise<void> {
    const batches = this.#batchesOf(run, indices);
    const [only] = batches;
    if (batches.length === 1 && only !== undefined) return this.#settleBatch(run, only, attempts);
    await this.#settleAll(run, batches, attempts);
  }

  async #settleAll(run: Run, batches: readonly (readonly number[])[], attempts: number): Promise<void> {
    await Promise.allSettled(
      batches.map((batch) =>
        this.#settleBatch(run, batch, attempts).catch((error: unknown) => {
          run.failure ??= error;
          run.stop.abort();
        }),
      ),
    );
    if (run.failure !== undefined) throw run.failure;
  }

  async #settleBatch(run: Run, indices: readonly number[], attempts: number): Promise<void> {
    let left = indices;
    let failures = attempts;
    for (;;) {
      const sent = left;
      const problem = await this.#gate.run(() => this.#request(run, sent), run.stop.signal);
      left = sent.filter((index) => run.outcomes[index] === undefined);
      if (left.length === 0) return;
      // A request that brought some outcomes is no failure: there are only so many.
      if (left.length < sent.length) failures = 0;
      const size = this.#sizeAfter(problem, sent.length);
      if (size !== undefined) {
        this.#batchMax = Math.min(this.#batchMax, size);
        return this.#settle(run, left, failures);
      }
      if (problem === undefined) return this.#settle(run, left, failures);
      const isHalved = problem.next === 'retry in halves' && left.length > 1;
      if (!isHalved || problem.failure !== 'too long') {
        failures += 1;
        await this.#pauseOrFail(run, problem, failures);
      }
      if (!isHalved) continue;
      const half = left.length >>> 1;
      return this.#settleAll(run, [left.slice(0, half), left.slice(half)], failures);
    }
  }

  /** Returns the batch size that is accepted after a refusal; undefined after no refusal of a batch. */
  #sizeAfter(problem: Problem | undefined, sent: number): number | undefined {
    if (problem?.next === 'no batches') return 1;
    return problem?.next === 'smaller batches' ? Math.max(sent >>> 1, 1) : undefined;
  }

  /** Sends one request. Returns the problem of the calls without an outcome; undefined if it was not sent. */
  async #request(run: Run, indices: readonly number[]): Promise<Problem | undefined> {
    if (this.#isClosed) return { failure: 'closed', description: 'was disconnected', next: 'give up' };
    // The remote node has refused a batch while this one waited.
    if (indices.length > this.#batchMax) return undefined;
    const firstId = this.#nextId;
    this.#nextId += indices.length;
    const requests = indices.map((index, position) => {
      const { method, params } = run.calls[index] ?? { method: '', params: [] };
      return { jsonrpc: '2.0', id: firstId + position, method, params };
    });
    const began = this.#time.now();
    const exchange = await post(
      this.#endpoint,
      JSON.stringify(requests.length === 1 ? requests[0] : requests),
      {
        time: this.#time,
        timeoutMs: Math.max(1, Math.min(this.#timeoutMs, this.#timeLeft(run))),
        bytesMax: responseBytesMax(requests),
        signal: run.stop.signal,
      },
    );
    this.#count({ requests: 1, milliseconds: this.#time.now() - began });
    const { outcomes, problem } = await readResponse(
      exchange,
      requests.map(({ id }) => id),
    );
    for (const [id, outcome] of outcomes) {
      const index = indices[id - firstId];
      if (index !== undefined) run.outcomes[index] = this.#redacted(outcome);
    }
    const asked =
      exchange.kind === 'response' ? retryAfterMs(exchange.retryAfter, this.#time.wallNow()) : undefined;
    // All requests wait, not only this one: each further one would be refused as well.
    if (problem !== undefined && asked !== undefined) this.#gate.pause(asked);
    return problem;
  }

  /** Waits before a retry. @throws {UpstreamError} if there is none */
  async #pauseOrFail(run: Run, problem: Problem, failures: number): Promise<void> {
    if (problem.next === 'give up' || failures > this.#retries) this.#failure(problem, failures, run);
    const pause = backoffMs(this.#backoffMs, failures, this.#random());
    if (pause >= this.#timeLeft(run)) this.#failure(problem, failures, run);
    if (problem.failure === 'rate limit') this.#gate.pause(pause);
    else await sleep(this.#time, pause, run.stop.signal);
  }

  #timeLeft({ began }: Run): number {
    return began + FORK_CALLS_MS_MAX - this.#time.now();
  }

  /** Splits calls into batches by number and bytes. */
  #batchesOf(run: Run, indices: readonly number[]): number[][] {
    const batches: number[][] = [];
    let batch: number[] = [];
    let bytes = 0;
    for (const index of indices) {
      const size = Buffer.byteLength(JSON.stringify(run.calls[index]));
      if (batch.length >= this.#batchMax || (batch.length > 0 && bytes + size > FORK_BATCH_BYTES_MAX)) {
        batches.push(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(index);
      bytes += size;
    }
    batches.push(batch);
    return batches;
  }

  #failure({ failure, description }: Problem, attempts: number, { began }: Run): never {
    const seconds = ((this.#time.now() - began) / 1_000).toFixed(1);
    const tried = attempts > 1 ? `, at the last of ${attempts} attempts in ${seconds} s` : '';
    const text = this.#endpoint.redact(description);
    const message = `the remote node ${this.name} ${text}${tried}; ${ADVICE[failure]}`;
    throw new UpstreamError(message, failure, attempts);
  }

  /** Removes credentials from the message of an error, which may repeat the request. */
  #redacted(outcome: UpstreamOutcome): UpstreamOutcome {
    return outcome.kind === 'result'
      ? outcome
      : { ...outcome, message: this.#endpoint.redact(outcome.message) };
  }

  #count(more: Partial<UpstreamCounts>): void {
    const { requests, calls, milliseconds } = this.#counts;
    this.#counts = {
      requests: requests + (more.requests ?? 0),
      calls: calls + (more.calls ?? 0),
      milliseconds: milliseconds + (more.milliseconds ?? 0),
    };
  }
}

const unanswered: Problem = { failure: 'malformed', description: 'sent no result', next: 'give up' };
