import type { BlockSummary, IncludedOperation, ReplayObserver } from '../../ledger/index.ts';
import { gasLimit } from '../../protocol/index.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { TextWriter } from '../json/text-writer.ts';
import type { QueryContext } from '../method-context.ts';
import type { Profile } from '../profiles/profile.ts';
import { placeOf } from './operation-place.ts';
import { budgetOf, requireTraceable, withinLimits } from './traceable.ts';
import type { TraceConfig } from './tracer-request.ts';
import { beginTracing, buildOf, partiesOf, precompiledBy, type Tracing } from './tracers.ts';

/** The trace of one operation of a block. @throws RequestFailedError, LimitError */
export function traceOperation(
  context: QueryContext,
  profile: Profile,
  { block, index }: IncludedOperation,
  config: TraceConfig,
): ResponseBody {
  requireTraceable(context.ledger, block);
  const out = new TextWriter(context.overflow);
  runAgain(context, profile, block, config, out, { only: index });
  return out.body();
}

/** The traces of all operations of a block, each with its hash. @throws RequestFailedError, LimitError */
export function traceBlock(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  config: TraceConfig,
): ResponseBody {
  const out = new TextWriter(context.overflow);
  out.add('[');
  const frame = {
    begin: (index: number, hash: string) => out.add(`${index === 0 ? '' : ','}{"txHash":"${hash}","result":`),
    end: () => out.add('}'),
  };
  if (block.operationCount > 0) {
    requireTraceable(context.ledger, block);
    runAgain(context, profile, block, config, out, frame);
  }
  out.add(']');
  return out.body();
}

/** Which operations are traced, and what is written around each. */
interface Around {
  readonly only?: number;
  begin?(index: number, hash: string): void;
  end?(): void;
}

function runAgain(
  context: QueryContext,
  profile: Profile,
  block: BlockSummary,
  { tracer, milliseconds }: TraceConfig,
  out: TextWriter,
  { only, begin, end }: Around,
): void {
  const { ledger } = context;
  const budget = budgetOf(context, milliseconds);
  const isPrecompiled = precompiledBy(ledger);
  let tracing: Tracing | undefined;
  const observer: ReplayObserver = {
    before: (operation, state) => {
      const { index } = operation;
      if (only !== undefined && index !== only) return undefined;
      const found = ledger.operationAt(block.number, index);
      const place = found && placeOf(found, profile);
      begin?.(index, place?.transactionHash ?? '0x');
      tracing = beginTracing(tracer, {
        ...{ state, budget, out, place },
        hardfork: ledger.hardfork,
        isPrecompiled,
        parties: partiesOf(operation, ledger.coinbase),
      });
      return tracing.listener;
    },
    after: ({ operation, receipt }) => {
      tracing?.write({ gas: gasLimit(operation), gasUsed: receipt?.gasUsed ?? 0n });
      end?.();
      budget.settle();
    },
    checkTime: () => budget.checkTime(),
  };
  withinLimits(() =>
    ledger.replay(buildOf(tracer), block, observer, only === undefined ? undefined : only + 1),
  );
}
