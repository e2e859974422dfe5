import type { FlatCall, TransactionPosition } from '../../formatters/index.ts';
import {
  type BlockSummary,
  CallFrames,
  type EvmBuild,
  type GivenBlock,
  type IncludedOperation,
  type LedgerQueries,
  type ReadableState,
  type ReplayedOperation,
  type ReplayObserver,
  type TraceBudget,
  type TraceListener,
} from '../../ledger/index.ts';
import {
  blockHashOf,
  DecodeError,
  equalBytes,
  FormatError,
  gasLimit,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { ResponseBody } from '../json/response-body.ts';
import { TextWriter } from '../json/text-writer.ts';
import type { QueryContext } from '../method-context.ts';
import { RequestFailedError } from '../rpc-errors.ts';
import { parityCalls } from './parity-traces.ts';
import { blockOf, budgetOf, requireTraceable, stateAfter, withinLimits } from './traceable.ts';
import { partiesOf, precompiledBy, type TraceScope, type Tracing } from './tracers.ts';

/** A replay of the operations of a block. */
interface Replay {
  readonly build: EvmBuild;
  readonly budget: TraceBudget;
  /** Index of the one operation that is traced; absent: all. */
  readonly only?: number | undefined;
  /** The operations to run; absent: those of the block, which is one of the chain. */
  readonly given?: GivenBlock | undefined;
  begin(this: void, operation: ReplayedOperation, state: ReadableState): TraceListener;
  end?(this: void, operation: ReplayedOperation, gasUsed: bigint): void;
}

/**
 * Runs operations of a block again, up to the last one that is traced.
 *
 * @throws RequestFailedError for a block that cannot run again, LimitError, TraceTimeoutError
 */
export function replayBlock(
  { ledger }: QueryContext,
  block: BlockSummary,
  { build, budget, only, given, begin, end }: Replay,
): void {
  requireTraceable(ledger, block);
  const observer: ReplayObserver = {
    before: (operation, state) =>
      only === undefined || operation.index === only ? begin(operation, state) : undefined,
    after: (operation, _state, gasUsed) => end?.(operation, gasUsed),
    checkTime: () => budget.checkTime(),
  };
  withinLimits(() => {
    if (given !== undefined) ledger.calls.replayGiven(build, given, observer);
    else ledger.calls.replay(build, block, observer, only === undefined ? undefined : only + 1);
  });
}

/** Returns the position of an operation, in the form of traces; undefined without the operation. */
function placeOf({ objects }: QueryContext, operation: IncludedOperation | undefined) {
  if (operation === undefined) return undefined;
  const { block, index } = operation;
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
  { block, index }: IncludedOperation,
  tracer: Tracer,
): ResponseBody {
  const out = new TextWriter(context.overflow);
  writeTraces(context, block, tracer, out, { only: index });
  return out.body();
}

/**
 * Writes the traces of the operations of a block that need not be of this chain, but follows a block of it, as an
 * array. Signatures, expirations and producer are not checked.
 *
 * @throws RequestFailedError for a malformed block or an unknown parent, RefusedError, LimitError, TraceTimeoutError
 */
export function traceGivenBlock(context: QueryContext, bytes: Uint8Array, tracer: Tracer): ResponseBody {
  const { ledger } = context;
  const given = givenBlockOf(ledger, bytes);
  const { block } = given;
  const known = ledger.blocks.blockById(block.id);
  if (known !== undefined && isSameBlock(ledger, known, bytes)) return traceBlock(context, known, tracer);
  if (block.number === 0) throw new RequestFailedError('genesis is not traceable');
  const parent = blockOf(ledger, BigInt(block.number) - 1n);
  if (!equalBytes(parent.id, block.header.previous)) {
    throw new RequestFailedError(`block ${toPrefixedHex(blockHashOf(block.header.previous))} not found`);
  }
  const have = ledger.prices.of(block);
  const want = stateAfter(ledger, parent).prices.next();
  if (have.excessBlobGas !== want.excessBlobGas) {
    const text = `have ${have.excessBlobGas}, want ${want.excessBlobGas}`;
    throw new RequestFailedError(`invalid excessBlobGas: ${text}`);
  }
  const out = new TextWriter(context.overflow);
  out.add('[');
  if (block.operationCount > 0) writeTraces(context, block, tracer, out, { given });
  out.add(']');
  return out.body();
}

function isSameBlock({ blocks }: LedgerQueries, { number, size }: BlockSummary, bytes: Uint8Array): boolean {
  return size === bytes.length && equalBytes(blocks.serializedBlock(number) ?? NO_BYTES, bytes);
}

const NO_BYTES = new Uint8Array(0);

function givenBlockOf({ calls }: LedgerQueries, bytes: Uint8Array): GivenBlock {
  try {
    return calls.readBlock(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof FormatError)) throw error;
    throw new RequestFailedError(`could not decode block: ${error.message}`);
  }
}

/** Writes the traces of all operations of a block between two texts. Throws as `traceOperation`. */
export function traceBlock(
  context: QueryContext,
  block: BlockSummary,
  tracer: Tracer,
  [start, end]: readonly [string, string] = ['[', ']'],
): ResponseBody {
  const out = new TextWriter(context.overflow);
  out.add(start);
  if (block.operationCount > 0) writeTraces(context, block, tracer, out);
  out.add(end);
  return out.body();
}

function writeTraces(
  context: QueryContext,
  block: BlockSummary,
  { build, milliseconds, begin }: Tracer,
  out: TextWriter,
  { only, given }: Pick<Replay, 'only' | 'given'> = {},
): void {
  const { prices, parameters } = context.ledger;
  const { hardfork } = parameters;
  const { coinbase } = prices.settings(block);
  const budget = budgetOf(context, milliseconds);
  const isPrecompiled = precompiledBy(context.ledger);
  let tracing: Tracing | undefined;
  replayBlock(context, block, {
    build,
    budget,
    only,
    given,
    begin: (operation, state) => {
      const { index } = operation;
      if (only === undefined && index > 0) out.add(',');
      const included = given?.operations[index] ?? context.ledger.blocks.operationAt(block.number, index);
      const position = placeOf(context, included);
      const parties = partiesOf(operation, coinbase);
      tracing = begin({ state, budget, out, position, isPrecompiled, parties, hardfork });
      return tracing.listener;
    },
    end: ({ operation }, gasUsed) => {
      tracing?.write({ gas: gasLimit(operation), gasUsed });
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
  block: BlockSummary,
  budget: TraceBudget = budgetOf(context),
  only?: number,
): PlacedCall[] {
  if (block.operationCount === 0) return [];
  const isPrecompiled = precompiledBy(context.ledger);
  const calls: PlacedCall[] = [];
  let frames = new CallFrames(budget);
  replayBlock(context, block, {
    build: 'evm',
    budget,
    only,
    begin: () => {
      frames = new CallFrames(budget);
      return frames;
    },
    end: ({ index }) => {
      const position = placeOf(context, context.ledger.blocks.operationAt(block.number, index));
      if (position === undefined) return;
      const flat = parityCalls(frames, { budget, isPrecompiled });
      budget.take(PLACE_BYTES * flat.length);
      for (const call of flat) calls.push({ ...call, ...position });
    },
  });
  return calls;
}
