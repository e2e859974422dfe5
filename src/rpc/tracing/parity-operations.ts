import {
  type BlockSummary,
  CallFrames,
  type IncludedOperation,
  type ReplayedOperation,
  type TraceBudget,
} from '../../ledger/index.ts';
import type { FlatCall, FlatPlace } from '../../view/index.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { TextWriter } from '../json/text-writer.ts';
import type { QueryContext } from '../method-context.ts';
import type { Profile } from '../profiles/profile.ts';
import { placeOf } from './operation-place.ts';
import {
  beginParityTracing,
  type ParityKinds,
  type ParityTracing,
  parityBuild,
  parityCalls,
} from './parity-traces.ts';
import { budgetOf, requireTraceable, withinLimits } from './traceable.ts';
import { partiesOf, precompiledBy } from './tracers.ts';

/** A call of a transaction of the chain. */
export type PlacedCall = FlatCall & FlatPlace;

/** The calls of the operations of a block, or of one of them, in their order. @throws RequestFailedError, LimitError */
export function callsOfBlock(
  { ledger }: QueryContext,
  profile: Profile,
  block: BlockSummary,
  budget: TraceBudget,
  only?: number,
): PlacedCall[] {
  if (block.operationCount === 0) return [];
  requireTraceable(ledger, block);
  const isPrecompiled = precompiledBy(ledger);
  const calls: PlacedCall[] = [];
  let frames = new CallFrames(budget);
  ledger.replay(
    'evm-calls',
    block,
    {
      before: ({ index }) => {
        if (only !== undefined && index !== only) return undefined;
        frames = new CallFrames(budget);
        return frames;
      },
      after: (operation) => {
        const found = ledger.operationAt(block.number, operation.index);
        if (found === undefined) return;
        const place = placeOf(found, profile);
        const flat = parityCalls(frames, { budget, isPrecompiled });
        budget.take(PLACE_BYTES * flat.length);
        for (const call of flat) calls.push({ ...call, ...place });
      },
      checkTime: () => budget.checkTime(),
    },
    only === undefined ? undefined : only + 1,
  );
  return calls;
}

/** What the place of a call comes to in an answer. */
const PLACE_BYTES = 220;

/** The calls of one operation. @throws RequestFailedError, LimitError */
export function callsOfOperation(
  context: QueryContext,
  profile: Profile,
  { block, index }: IncludedOperation,
): PlacedCall[] {
  const budget = budgetOf(context);
  return withinLimits(() => callsOfBlock(context, profile, block, budget, index));
}

/** What is asked for of one operation of a block, as JSON text. @throws RequestFailedError, LimitError */
export function resultsOfOperation(
  context: QueryContext,
  profile: Profile,
  { block, index }: IncludedOperation,
  kinds: ParityKinds,
): ResponseBody {
  const out = new TextWriter(context.overflow);
  writeResults(context, profile, block, kinds, out, index);
  return out.body();
}

/** What is asked for of each operation of a block, with its hash. @throws RequestFailedError, LimitError */
export function resultsOfBlock(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  kinds: ParityKinds,
): ResponseBody {
  const out = new TextWriter(context.overflow);
  out.add('[');
  if (block.operationCount > 0) writeResults(context, profile, block, kinds, out);
  out.add(']');
  return out.body();
}

function writeResults(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  kinds: ParityKinds,
  out: TextWriter,
  only?: number,
): void {
  const { ledger } = context;
  requireTraceable(ledger, block);
  const budget = budgetOf(context);
  const isPrecompiled = precompiledBy(ledger);
  let tracing: ParityTracing | undefined;
  const observer = {
    before: (operation: ReplayedOperation, state: Parameters<typeof beginParityTracing>[1]['state']) => {
      const { index } = operation;
      if (only !== undefined && index !== only) return undefined;
      const found = ledger.operationAt(block.number, index);
      const place = found && placeOf(found, profile);
      const further: Readonly<Record<string, string>> =
        only === undefined && place ? { transactionHash: place.transactionHash } : {};
      if (only === undefined && index > 0) out.add(',');
      const parties = partiesOf(operation, ledger.coinbase);
      const scope = { state, budget, out, place, isPrecompiled, parties, hardfork: ledger.hardfork };
      tracing = beginParityTracing(kinds, scope, further);
      return tracing.listener;
    },
    after: () => {
      tracing?.write();
      budget.settle();
    },
    checkTime: () => budget.checkTime(),
  };
  const until = only === undefined ? undefined : only + 1;
  withinLimits(() => ledger.replay(parityBuild(kinds), block, observer, until));
}
