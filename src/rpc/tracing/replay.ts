import {
  type BlockSummary,
  CallFrames,
  type EvmBuild,
  type IncludedOperation,
  type ReadableState,
  type ReplayedOperation,
  type ReplayObserver,
  type TraceBudget,
  type TraceListener,
} from '../../ledger/index.ts';
import { blockHashOf, gasLimit, toPrefixedHex } from '../../protocol/index.ts';
import type { FlatCall, TransactionPosition } from '../../view/index.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { TextWriter } from '../json/text-writer.ts';
import type { QueryContext } from '../method-context.ts';
import type { Profile } from '../profiles/profile.ts';
import { parityCalls } from './parity-traces.ts';
import { budgetOf, requireTraceable, withinLimits } from './traceable.ts';
import { partiesOf, precompiledBy, type TraceScope, type Tracing } from './tracers.ts';

/** A replay of the operations of a block. */
interface Replay {
  readonly build: EvmBuild;
  readonly budget: TraceBudget;
  /** Index of the one operation that is traced; absent: all. */
  readonly only?: number | undefined;
  begin(this: void, operation: ReplayedOperation, state: ReadableState): TraceListener;
  end?(this: void, operation: ReplayedOperation): void;
}

/**
 * Runs operations of a block again, up to the last one that is traced.
 *
 * @throws RequestFailedError for a block that cannot run again, LimitError, TraceTimeoutError
 */
export function replayBlock(
  { ledger }: QueryContext,
  block: BlockSummary,
  { build, budget, only, begin, end }: Replay,
): void {
  requireTraceable(ledger, block);
  const observer: ReplayObserver = {
    before: (operation, state) =>
      only === undefined || operation.index === only ? begin(operation, state) : undefined,
    after: (operation) => end?.(operation),
    checkTime: () => budget.checkTime(),
  };
  withinLimits(() => ledger.calls.replay(build, block, observer, only === undefined ? undefined : only + 1));
}

/** Returns the position of an operation, in the form of traces; undefined without the operation. */
function placeOf({ ledger }: QueryContext, { objects }: Profile, block: BlockSummary, index: number) {
  const operation = ledger.blocks.operationAt(block.number, index);
  if (operation === undefined) return undefined;
  return {
    blockHash: toPrefixedHex(blockHashOf(block.id)),
    blockNumber: block.number,
    transactionHash: objects.hash(operation),
    transactionPosition: index,
  };
}

/** A way to trace each operation. */
interface Tracer {
  readonly build: EvmBuild;
  /** Milliseconds that the caller allows. */
  readonly milliseconds?: number | undefined;
  begin(this: void, scope: TraceScope): Tracing;
}

/** Writes the trace of one operation of a block. @throws RequestFailedError, LimitError, TraceTimeoutError */
export function traceOperation(
  context: QueryContext,
  profile: Profile,
  { block, index }: IncludedOperation,
  tracer: Tracer,
): ResponseBody {
  const out = new TextWriter(context.overflow);
  writeTraces(context, profile, block, tracer, out, index);
  return out.body();
}

/** Writes the traces of all operations of a block as an array. Throws as `traceOperation`. */
export function traceBlock(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  tracer: Tracer,
): ResponseBody {
  const out = new TextWriter(context.overflow);
  out.add('[');
  if (block.operationCount > 0) writeTraces(context, profile, block, tracer, out);
  out.add(']');
  return out.body();
}

function writeTraces(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  { build, milliseconds, begin }: Tracer,
  out: TextWriter,
  only?: number,
): void {
  const { coinbase, hardfork } = context.ledger.parameters;
  const budget = budgetOf(context, milliseconds);
  const isPrecompiled = precompiledBy(context.ledger);
  let tracing: Tracing | undefined;
  replayBlock(context, block, {
    ...{ build, budget, only },
    begin: (operation, state) => {
      const { index } = operation;
      if (only === undefined && index > 0) out.add(',');
      const [position, parties] = [placeOf(context, profile, block, index), partiesOf(operation, coinbase)];
      tracing = begin({ state, budget, out, position, isPrecompiled, parties, hardfork });
      return tracing.listener;
    },
    end: ({ operation, receipt }) => {
      tracing?.write({ gas: gasLimit(operation), gasUsed: receipt?.gasUsed ?? 0n });
      budget.settle();
    },
  });
}

export type PlacedCall = FlatCall & TransactionPosition;

/** Size of the position of a call in a response, in bytes. */
const PLACE_BYTES = 220;

/**
 * Returns the calls of the operations of a block, or of one of them, in their order.
 *
 * @throws RequestFailedError, LimitError, TraceTimeoutError
 */
export function callsOfBlock(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  budget: TraceBudget = budgetOf(context),
  only?: number,
): PlacedCall[] {
  if (block.operationCount === 0) return [];
  const isPrecompiled = precompiledBy(context.ledger);
  const calls: PlacedCall[] = [];
  let frames = new CallFrames(budget);
  replayBlock(context, block, {
    ...{ build: 'evm', budget, only },
    begin: () => {
      frames = new CallFrames(budget);
      return frames;
    },
    end: ({ index }) => {
      const position = placeOf(context, profile, block, index);
      if (position === undefined) return;
      const flat = parityCalls(frames, { budget, isPrecompiled });
      budget.take(PLACE_BYTES * flat.length);
      for (const call of flat) calls.push({ ...call, ...position });
    },
  });
  return calls;
}
