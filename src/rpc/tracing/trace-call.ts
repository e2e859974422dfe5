import { BLOCK_TRANSACTIONS_MAX } from '../../consensus.ts';
import type {
  CallMessage,
  EvmBuild,
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
import { blockOverridesSchema, stateOverridesSchema } from '../parameters/overrides.ts';
import { boundedQuantity } from '../parameters/plain.ts';
import { field } from '../parameters/schema.ts';
import type { CallBuilder } from '../profiles/profile.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { wordedRefusal } from '../transactions/refused-calls.ts';
import { beginParityTracing, type ParityKinds, parityBuild } from './parity-traces.ts';
import { blockOf, budgetOf, requireTraceable, stateAfter, withinLimits } from './traceable.ts';
import { traceConfigSchema } from './tracer-request.ts';
import {
  beginTracing,
  buildOf,
  partiesOf,
  partiesWith,
  precompiledBy,
  type TraceScope,
  type Tracing,
} from './tracers.ts';

export const callConfigSchema = traceConfigSchema({
  stateOverrides: stateOverridesSchema,
  blockOverrides: blockOverridesSchema,
  txIndex: field(
    boundedQuantity(BLOCK_TRANSACTIONS_MAX, 'transactions'),
    'Transactions of the block to run before the call; absent: all.',
  ),
});

type CallConfig = ReturnType<typeof callConfigSchema.read>;

/** Writes the trace of a call on the state of a block. @throws RequestFailedError, RefusedError, LimitError */
export function traceCall(
  context: QueryContext,
  request: CallBuilder,
  reference: BlockReference,
  config: CallConfig,
): ResponseBody {
  const { ledger } = context;
  const { tracer, milliseconds, stateOverrides, blockOverrides, txIndex } = config;
  const message = request(context, stateOverrides, blockOverrides);
  const budget = budgetOf(context, milliseconds);
  const out = new TextWriter(context.overflow);
  const begin = (scope: TraceScope): Tracing => beginTracing(tracer, scope);
  const work = (run: TracedRun): void => {
    try {
      traceRun(context, run, message, budget, out, begin);
    } catch (error) {
      throw wordedRefusal(error, (reason) => `tracing failed: ${reason}`);
    }
  };
  const build = buildOf(tracer);
  const block = blockOf(ledger, reference);
  if (txIndex === undefined) {
    const state = stateAfter(ledger, block);
    withinLimits(() => state.calls.traceCalls(build, message.overrides, work));
    return out.body();
  }
  requireTraceable(ledger, block);
  if (txIndex > block.operationCount) {
    throw new RequestFailedError(`transaction index ${txIndex} out of range for block ${block.number}`);
  }
  if (message.overrides !== undefined && message.overrides.accounts.length > 0) {
    throw new RequestFailedError('txIndex and stateOverrides exclude each other: give one of them');
  }
  const within = { block, until: txIndex, checkTime: () => budget.checkTime() };
  withinLimits(() => ledger.calls.traceCallsWithin(build, within, message.overrides?.block, work));
  return out.body();
}

export type ParityCall = readonly [request: CallBuilder, kinds: ParityKinds];

/** Returns the build of the engine that the traces of calls need. */
export function buildOfCalls(calls: readonly ParityCall[]): EvmBuild {
  return calls.some(([, kinds]) => parityBuild(kinds) === 'evm-steps') ? 'evm-steps' : 'evm';
}

/**
 * Writes the traces of calls on the state of a block, each on the state that those before it left.
 *
 * @param isList true if the results are written as an array, even if there is one
 * @throws RequestFailedError, RefusedError, LimitError
 */
export function resultsOfCalls(
  context: QueryContext,
  calls: readonly ParityCall[],
  reference: BlockReference,
  isList: boolean,
): ResponseBody {
  const { ledger } = context;
  const budget = budgetOf(context);
  const out = new TextWriter(context.overflow);
  const state = stateAfter(ledger, blockOf(ledger, reference));
  const messages = calls.map(([request]) => request(context, [], undefined));
  const work = (run: TracedRun): void => {
    for (const [index, [, kinds]] of calls.entries()) {
      if (index > 0) out.add(',');
      const begin = (scope: TraceScope): Tracing => beginParityTracing(kinds, scope);
      traceRun(context, run, messages[index] ?? {}, budget, out, begin);
      budget.settle();
    }
  };
  if (isList) out.add('[');
  withinLimits(() => state.calls.traceCalls(buildOfCalls(calls), undefined, work));
  if (isList) out.add(']');
  return out.body();
}

/** Writes the traces of an operation that no block includes, on the latest state. @throws RefusedError, LimitError */
export function resultsOfUnsent(
  context: QueryContext,
  operation: Operation,
  kinds: ParityKinds,
): ResponseBody {
  const { ledger } = context;
  const budget = budgetOf(context);
  const out = new TextWriter(context.overflow);
  const replayed: ReplayedOperation = { index: 0, operation, to: undefined, receipt: undefined };
  const parties = partiesOf(replayed, ledger.prices.settings().coinbase);
  let tracing: Tracing | undefined;
  withinLimits(() =>
    ledger.calls.traceOperation(parityBuild(kinds), replayed, {
      before: (_operation, state) => {
        tracing = beginParityTracing(kinds, unplacedScope(ledger, { state, budget, out, parties }));
        return tracing.listener;
      },
      after: () => tracing?.write({ gas: 0n, gasUsed: 0n }),
      checkTime: () => budget.checkTime(),
    }),
  );
  return out.body();
}

/** Runs a call, and writes its trace. @throws RefusedError for a call that cannot begin */
function traceRun(
  { ledger, limits }: QueryContext,
  run: TracedRun,
  message: CallMessage,
  budget: TraceBudget,
  out: TextWriter,
  begin: (scope: TraceScope) => Tracing,
): void {
  const { from = ZERO_ADDRESS, to, gas = limits.callGasMax, authorizationList = [] } = message;
  const parties = partiesWith([from, to, run.block.coinbase], authorizationList);
  const tracing = begin(unplacedScope(ledger, { state: run.state, budget, out, parties }));
  const { gasUsed } = run.run({ ...message, gas }, () => budget.deadline, tracing.listener);
  tracing.write({ gas, gasUsed });
}

/** Returns the scope of a transaction that no block includes. */
function unplacedScope(
  ledger: LedgerQueries,
  given: Pick<TraceScope, 'state' | 'budget' | 'out' | 'parties'>,
): TraceScope {
  return {
    ...given,
    position: undefined,
    isPrecompiled: precompiledBy(ledger),
    hardfork: ledger.parameters.hardfork,
  };
}
