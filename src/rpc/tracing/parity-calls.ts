import type {
  CallMessage,
  LedgerQueries,
  ReplayedOperation,
  TraceBudget,
  TracedRun,
} from '../../ledger/index.ts';
import { type Operation, ZERO_ADDRESS } from '../../protocol/index.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { TextWriter } from '../json/text-writer.ts';
import type { QueryContext } from '../method-context.ts';
import type { BlockReference } from '../parameters/block.ts';
import type { CallBuilder } from '../profiles/profile.ts';
import { beginParityTracing, type ParityKinds, type ParityTracing, parityBuild } from './parity-traces.ts';
import { runCall } from './trace-call.ts';
import { blockOf, budgetOf, stateAfter, withinLimits } from './traceable.ts';
import { partiesOf, precompiledBy, type TraceScope } from './tracers.ts';

/** A call, and what is asked for of it. */
export type ParityCall = readonly [request: CallBuilder, kinds: ParityKinds];

/**
 * What is asked for of calls on the state of a block, each on what those before it have left.
 *
 * @param isList whether the results are written as an array, also where there is one of them
 * @throws RequestFailedError, RefusedError, LimitError
 */
export function resultsOfCalls(
  context: QueryContext,
  calls: readonly ParityCall[],
  reference: BlockReference,
  isList: boolean,
): ResponseBody {
  const { ledger, limits } = context;
  const budget = budgetOf(context);
  const out = new TextWriter(context.overflow);
  const state = stateAfter(ledger, blockOf(ledger, reference));
  const messages = calls.map(([request]) => request(context, [], undefined));
  const needsSteps = calls.some(([, kinds]) => parityBuild(kinds) === 'evm-steps');
  const work = (run: TracedRun): void => {
    for (const [index, [, kinds]] of calls.entries()) {
      const message = messages[index] ?? {};
      if (index > 0) out.add(',');
      const tracing = tracingOf(ledger, kinds, message, run, budget, out);
      runCall(run, message, limits.callGasMax, budget, tracing);
      budget.settle();
    }
  };
  if (isList) out.add('[');
  withinLimits(() => state.traceCalls(needsSteps ? 'evm-steps' : 'evm-calls', undefined, work));
  if (isList) out.add(']');
  return out.body();
}

function tracingOf(
  ledger: LedgerQueries,
  kinds: ParityKinds,
  { from = ZERO_ADDRESS, to }: CallMessage,
  run: TracedRun,
  budget: TraceBudget,
  out: TextWriter,
): ParityTracing {
  const parties = [from, ...(to === undefined ? [] : [to]), run.block.coinbase];
  return beginParityTracing(kinds, scopeOf(ledger, { state: run.state, budget, out, parties }));
}

/** What is asked for of an operation that is in no block, on the state of the head. @throws RefusedError, LimitError */
export function resultsOfUnsent(
  context: QueryContext,
  operation: Operation,
  kinds: ParityKinds,
): ResponseBody {
  const { ledger } = context;
  const budget = budgetOf(context);
  const out = new TextWriter(context.overflow);
  const replayed: ReplayedOperation = { index: 0, operation, to: undefined, receipt: undefined };
  let tracing: ParityTracing | undefined;
  withinLimits(() =>
    ledger.traceOperation(parityBuild(kinds), replayed, {
      before: (_operation, state) => {
        const parties = partiesOf(replayed, ledger.coinbase);
        tracing = beginParityTracing(kinds, scopeOf(ledger, { state, budget, out, parties }));
        return tracing.listener;
      },
      after: () => tracing?.write(),
      checkTime: () => budget.checkTime(),
    }),
  );
  return out.body();
}

function scopeOf(
  ledger: LedgerQueries,
  given: Pick<TraceScope, 'state' | 'budget' | 'out' | 'parties'>,
): TraceScope {
  return { ...given, place: undefined, isPrecompiled: precompiledBy(ledger), hardfork: ledger.hardfork };
}
