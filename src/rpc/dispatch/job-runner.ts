import { SharedBound } from '../../caching/bounded-map.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import { invariant } from '../../protocol/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { RpcLimits } from '../context/rpc-limits.ts';
import { RESPONSE_CACHE_CHARACTERS_MAX } from '../json/text-in-pieces.ts';
import { failureOf, outcomeOf } from '../messages/failure.ts';
import {
  type Call,
  errorResponse,
  type RequestId,
  resultHead,
  resultResponse,
} from '../messages/json-rpc.ts';
import type { QueryContext, ResponseOverflow } from '../method-context.ts';
import { ETHEREUM_METHODS, METHODS, type MethodRegistry, PROFILES } from '../registries.ts';
import { BlockFactsCache } from '../response-cache/block-facts-cache.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import type { JobResult } from '../workers/jobs.ts';

/** Bytes that are buffered of a trace that may be streamed; a longer one is sent as it is made (4 MiB). */
const TRACE_BUFFER_BYTES_MAX = 4 * 1024 * 1024;

const REGISTRIES: Readonly<Record<ProfileId, MethodRegistry>> = {
  ledger: METHODS,
  ethereum: ETHEREUM_METHODS,
};

/** Runs the calls of jobs in their process. The node has checked their parameters. */
export class JobRunner {
  readonly #contexts: Readonly<Record<ProfileId, QueryContext>>;

  constructor(ledger: LedgerQueries, limits: RpcLimits) {
    const blockFacts = new BlockFactsCache(ledger);
    const characters = new SharedBound(RESPONSE_CACHE_CHARACTERS_MAX);
    const contextOf = (id: ProfileId): QueryContext => {
      const profile = PROFILES[id];
      return {
        ledger,
        limits,
        blockFacts,
        profile,
        objects: profile.objects,
        responses: new ResponseCache(ledger, characters),
      };
    };
    this.#contexts = { ledger: contextOf('ledger'), ethereum: contextOf('ethereum') };
  }

  /**
   * Runs a query.
   *
   * @param writePiece writes a piece of a long response; the returned response is then empty, or an error. It may block
   *   and throw. Absent: responses are buffered as a whole.
   */
  run(call: Call, profile: ProfileId, writePiece?: (piece: Buffer) => void): JobResult {
    const began = performance.now();
    const { id } = call;
    invariant(id !== undefined, 'a notification is not forwarded');
    const query = REGISTRIES[profile].get(call.method)?.query;
    invariant(query !== undefined, 'a job is a query');
    let failure = '';
    const stream = writePiece === undefined ? undefined : new ResponseStream(id, writePiece);
    const took = (): number => performance.now() - began - (stream?.pausedMs() ?? 0);
    try {
      const result = query.invoke({ ...this.#contexts[profile], overflow: stream }, call);
      const response = stream?.end() === true ? '' : resultResponse(id, result);
      const milliseconds = took();
      return { response, outcome: 'result', milliseconds, message: '', revertData: undefined, failure };
    } catch (thrown) {
      const error = failureOf(thrown, (cause) => {
        failure = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      });
      const response = errorResponse(id, error);
      const { message, data } = error;
      const outcome = outcomeOf(error);
      const revertData = outcome === 'reverted' && typeof data === 'string' ? data : undefined;
      return { response, outcome, milliseconds: took(), message, revertData, failure };
    }
  }
}

/** A response that is written while its result is produced. */
class ResponseStream implements ResponseOverflow {
  readonly bufferedMax = TRACE_BUFFER_BYTES_MAX;
  readonly #id: RequestId;
  readonly #writePiece: (piece: Buffer) => void;
  #isBegun = false;
  #pausedMs = 0;

  constructor(id: RequestId, writePiece: (piece: Buffer) => void) {
    this.#id = id;
    this.#writePiece = writePiece;
  }

  write(piece: Buffer): void {
    const began = performance.now();
    if (!this.#isBegun) this.#writePiece(Buffer.from(resultHead(this.#id)));
    this.#isBegun = true;
    this.#writePiece(piece);
    this.#pausedMs += performance.now() - began;
  }

  pausedMs(): number {
    return this.#pausedMs;
  }

  /** Ends the response; returns false if nothing was written. */
  end(): boolean {
    if (this.#isBegun) this.write(Buffer.from('}'));
    return this.#isBegun;
  }
}
