import type { LedgerQueries } from '../../ledger/index.ts';
import { invariant } from '../../protocol/index.ts';
import type { RpcLimits } from '../context.ts';
import { errorResponse, readRequest, resultResponse } from '../envelope.ts';
import { ETHEREUM_METHODS } from '../ethereum/index.ts';
import { EthereumAnswers } from '../ethereum-answers.ts';
import { failureOf, outcomeOf } from '../failure.ts';
import { IncludedAnswers } from '../included-answers.ts';
import { textOfResult } from '../json/json-text.ts';
import type { QueryContext } from '../method-context.ts';
import type { Profile } from '../profile.ts';
import { METHODS, type MethodRegistry } from '../registry.ts';
import type { WorkerAnswer } from './query-workers.ts';

const REGISTRIES: Readonly<Record<Profile, MethodRegistry>> = { ledger: METHODS, ethereum: ETHEREUM_METHODS };

/** Answers the requests that a worker is asked, which were checked before they were passed on. */
export class QueryAnswers {
  readonly #context: QueryContext;

  constructor(ledger: LedgerQueries, limits: RpcLimits) {
    const ethereumIncluded = new EthereumAnswers(ledger);
    this.#context = { ledger, limits, included: new IncludedAnswers(ledger), ethereumIncluded };
  }

  /** Answers one request of JSON-RPC. Throws for what is none, or asks for no query. */
  answer(request: string, profile: Profile): WorkerAnswer {
    const began = performance.now();
    const call = readRequest(JSON.parse(request));
    invariant(call.kind === 'call' && call.id !== undefined, 'a worker is asked what its node has read');
    const query = REGISTRIES[profile].get(call.method)?.query;
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
