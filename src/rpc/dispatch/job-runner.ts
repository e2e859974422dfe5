import type { LedgerQueries } from '../../ledger/index.ts';
import { TRACE_BUFFER_BYTES_MAX } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { RpcLimits } from '../context/rpc-limits.ts';
import {
  type Call,
  errorResponse,
  type RequestId,
  resultHead,
  resultResponse,
} from '../envelope/envelope.ts';
import { failureOf, outcomeOf } from '../envelope/failure.ts';
import type { QueryContext, ResponseOverflow } from '../method-context.ts';
import { ETHEREUM_METHODS, METHODS, type MethodRegistry, PROFILES } from '../registries.ts';
import { BlockFactsCache } from '../response-cache/block-facts-cache.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import type { JobResult } from '../workers/jobs.ts';

const REGISTRIES: Readonly<Record<ProfileId, MethodRegistry>> = {
  ledger: METHODS,
  ethereum: ETHEREUM_METHODS,
};

/** Runs the calls of jobs in their process; they were checked before they were passed on. */
export class JobRunner {
  readonly #contexts: Readonly<Record<ProfileId, QueryContext>>;

  constructor(ledger: LedgerQueries, limits: RpcLimits) {
    const blockFacts = new BlockFactsCache(ledger);
    const contextOf = (profile: ProfileId): QueryContext => {
      const { errorStyle } = PROFILES[profile];
      return { ledger, limits, blockFacts, errorStyle, responses: new ResponseCache(ledger) };
    };
    this.#contexts = { ledger: contextOf('ledger'), ethereum: contextOf('ethereum') };
  }

  /**
   * Runs a query.
   *
   * @param writePiece writes a piece of a long response while it is made; the returned one is then empty, or an error.
   *   It may block and throw. Absent: responses are kept until they are whole.
   */
  answer(call: Call, profile: ProfileId, writePiece?: (piece: Buffer) => void): JobResult {
    const began = performance.now();
    const { id } = call;
    invariant(id !== undefined, 'a notification is not passed on');
    const query = REGISTRIES[profile].get(call.method)?.query;
    invariant(query !== undefined, 'a worker is asked queries only');
    let failure = '';
    const pieces = writePiece === undefined ? undefined : new ResponseStream(id, writePiece);
    const took = (): number => performance.now() - began - (pieces?.pausedMs() ?? 0);
    try {
      const result = query.invoke({ ...this.#contexts[profile], overflow: pieces }, call);
      const response = pieces?.end() === true ? '' : resultResponse(id, result);
      const milliseconds = took();
      return { response, outcome: 'result', milliseconds, message: '', revertData: undefined, failure };
    } catch (thrown) {
      const error = failureOf(thrown, (cause) => {
        failure = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      });
      const response = errorResponse(id, error);
      const { message, data } = error;
      const outcome = outcomeOf(error);
      const revertData = outcome === 'reverted' ? data : undefined;
      return { response, outcome, milliseconds: took(), message, revertData, failure };
    }
  }
}

/** A response whose result is too long to be kept until it is whole. */
class ResponseStream implements ResponseOverflow {
  readonly keptMax = TRACE_BUFFER_BYTES_MAX;
  readonly #id: RequestId;
  readonly #writePiece: (piece: Buffer) => void;
  #hasBegun = false;
  #pausedMs = 0;

  constructor(id: RequestId, writePiece: (piece: Buffer) => void) {
    this.#id = id;
    this.#writePiece = writePiece;
  }

  write(piece: Buffer): void {
    const began = performance.now();
    if (!this.#hasBegun) this.#writePiece(Buffer.from(resultHead(this.#id)));
    this.#hasBegun = true;
    this.#writePiece(piece);
    this.#pausedMs += performance.now() - began;
  }

  pausedMs(): number {
    return this.#pausedMs;
  }

  /** Ends a response whose beginning is written; returns true for one. */
  end(): boolean {
    if (this.#hasBegun) this.write(Buffer.from('}'));
    return this.#hasBegun;
  }
}
