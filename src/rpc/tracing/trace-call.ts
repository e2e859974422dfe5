import { BLOCK_TRANSACTIONS_MAX } from '../../consensus.ts';
import {
  type CallMessage,
  describeHalt,
  type LedgerQueries,
  type Overrides,
  type TraceBudget,
  type TracedRun,
} from '../../ledger/index.ts';
import { ZERO_ADDRESS } from '../../protocol/index.ts';
import { RequestFailedError } from '../errors.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { TextWriter } from '../json/text-writer.ts';
import type { QueryContext } from '../method-context.ts';
import type { BlockReference } from '../parameters/block.ts';
import { blockOverridesSchema, stateOverridesSchema } from '../parameters/overrides.ts';
import { boundedQuantity } from '../parameters/quantity.ts';
import { explained, optional } from '../parameters/schema.ts';
import type { CallBuilder } from '../profiles/profile.ts';
import { blockOf, budgetOf, requireTraceable, stateAfter, withinLimits } from './traceable.ts';
import { traceConfigSchema } from './tracer-request.ts';
import { beginTracing, buildOf, precompiledBy, type Tracing } from './tracers.ts';

/** The configuration of `debug_traceCall`. */
export const callConfigSchema = traceConfigSchema({
  stateOverrides: stateOverridesSchema,
  blockOverrides: blockOverridesSchema,
  txIndex: explained(optional(boundedQuantity(BLOCK_TRANSACTIONS_MAX, 'transactions')), {
    description: 'Transactions of the block that have run; all where it is absent.',
  }),
});

type CallConfig = ReturnType<typeof callConfigSchema.read>;

/** The trace of a call on the state of a block. @throws RequestFailedError, RefusedError, LimitError */
export function traceCall(
  context: QueryContext,
  request: CallBuilder,
  reference: BlockReference,
  config: CallConfig,
): ResponseBody {
  const { ledger, limits } = context;
  const { tracer, milliseconds, stateOverrides, blockOverrides, txIndex } = config;
  const message = request(context, stateOverrides, blockOverrides);
  const budget = budgetOf(context, milliseconds);
  const out = new TextWriter(context.overflow);
  const isPrecompiled = precompiledBy(ledger);
  const work = (run: TracedRun): void => {
    const { from = ZERO_ADDRESS, to } = message;
    const tracing = beginTracing(tracer, {
      ...{ state: run.state, budget, out, place: undefined, hardfork: ledger.hardfork },
      isPrecompiled,
      parties: [from, ...(to === undefined ? [] : [to]), run.block.coinbase],
    });
    runCall(run, message, limits.callGasMax, budget, tracing);
  };
  withinLimits(() => {
    const build = buildOf(tracer);
    onState(ledger, reference, message.overrides, txIndex, (state, until) => {
      if (until === undefined) state.traceCalls(build, message.overrides, work);
      else {
        const checkTime = (): void => budget.checkTime();
        state.traceCallsWithin(
          build,
          { ...until, block: until.block, checkTime },
          message.overrides?.block,
          work,
        );
      }
    });
  });
  return out.body();
}

/** Runs a call, and has its trace written. */
export function runCall(
  run: TracedRun,
  message: CallMessage,
  gasMax: bigint,
  budget: TraceBudget,
  tracing: Tracing,
): void {
  const gas = message.gas ?? gasMax;
  const { halt, gasUsed } = run.run({ ...message, gas }, () => budget.deadline, tracing.listener);
  if (halt === 'intrinsicGasTooLow' || halt === 'initCodeTooLarge') {
    throw new RequestFailedError(describeHalt(halt));
  }
  tracing.write({ gas, gasUsed });
}

/** Where within a block a call stands. */
interface Within {
  readonly block: ReturnType<typeof blockOf>;
  readonly until: number;
}

function onState(
  ledger: LedgerQueries,
  reference: BlockReference,
  overrides: Overrides | undefined,
  txIndex: number | undefined,
  work: (state: LedgerQueries, within: Within | undefined) => void,
): void {
  const block = blockOf(ledger, reference);
  if (txIndex === undefined) {
    work(stateAfter(ledger, block), undefined);
    return;
  }
  requireTraceable(ledger, block);
  if (txIndex > block.operationCount) {
    throw new RequestFailedError(`transaction index ${txIndex} out of range for block ${block.number}`);
  }
  if (overrides !== undefined && overrides.accounts.length > 0) {
    throw new RequestFailedError('txIndex and stateOverrides exclude each other: give one of them');
  }
  work(ledger, { block, until: txIndex });
}
