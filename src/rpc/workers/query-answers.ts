import type { LedgerQueries } from '../../ledger/index.ts';
import { invariant } from '../../protocol/index.ts';
import type { RpcLimits } from '../context.ts';
import { errorResponse, readRequest, resultResponse } from '../envelope.ts';
import { failureOf, outcomeOf } from '../failure.ts';
import { IncludedAnswers } from '../included-answers.ts';
import { textOfResult } from '../json/json-text.ts';
import type { QueryContext } from '../method-context.ts';
import { METHODS } from '../registry.ts';
import type { WorkerAnswer } from './query-workers.ts';

/** Answers the requests that a worker is asked, which were checked before they were passed on. */
export class QueryAnswers {
  readonly #context: QueryContext;

  constructor(ledger: LedgerQueries, limits: RpcLimits) {
    this.#context = { ledger, limits, included: new IncludedAnswers(ledger) };
  }

  /** Answers one request of JSON-RPC. Throws for what is none, or asks for no query. */
  answer(request: string): WorkerAnswer {
    const began = performance.now();
    const call = readRequest(JSON.parse(request));
    invariant(call.kind === 'call' && call.id !== undefined, 'a worker is asked what its node has read');
    const query = METHODS.get(call.method)?.query;
    invariant(query !== undefined, 'a worker is asked queries only');
    let failure = '';
    try {
      const response = resultResponse(call.id, textOfResult(query.invoke(this.#context, call)));
      return { response, outcome: 'result', milliseconds: performance.now() - began, message: '', failure };
    } catch (thrown) {
      const error = failureOf(thrown, (cause) => {
        failure = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      });
      const response = errorResponse(call.id, error);
      const milliseconds = performance.now() - began;
      return { response, outcome: outcomeOf(error), milliseconds, message: error.message, failure };
    }
  }
}
