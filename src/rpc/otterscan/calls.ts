import { type BlockSummary, type CallFrame, CallFrames, type IncludedOperation } from '../../ledger/index.ts';
import { type Address, equalBytes } from '../../protocol/index.ts';
import {
  addressShape,
  arrayShape,
  data,
  dataShape,
  describedShape,
  type Hexadecimal,
  integerShape,
  nullableShape,
  objectShape,
  quantity,
  quantityShape,
  textShape,
} from '../../view/index.ts';
import type { QueryContext } from '../method-context.ts';
import { budgetOf, requireTraceable, withinLimits } from '../tracing/traceable.ts';
import { precompiledBy } from '../tracing/tracers.ts';

/** The calls of a transaction in the order in which they began. */
export const enteredCallsShape = arrayShape(
  objectShape({
    type: textShape,
    depth: describedShape(integerShape, '0 of the outermost call.'),
    from: addressShape,
    to: addressShape,
    value: describedShape(nullableShape(quantityShape), 'Null of calls that move none by their kind.'),
    input: dataShape,
    output: dataShape,
  }),
);

/** What code moved, created and destroyed. */
export const internalOperationsShape = arrayShape(
  objectShape({
    type: describedShape(integerShape, '0 a transfer, 1 a self-destruction, 2 a creation, 3 one by CREATE2.'),
    from: addressShape,
    to: addressShape,
    value: quantityShape,
  }),
);

const TRANSFER = 0;
const INTERNAL_KINDS: Readonly<Partial<Record<CallFrame['kind'], number>>> = {
  CALL: TRANSFER,
  SELFDESTRUCT: 1,
  CREATE: 2,
  CREATE2: 3,
};
const WITHOUT_VALUE: ReadonlySet<CallFrame['kind']> = new Set(['STATICCALL', 'DELEGATECALL']);

/** The outermost call of an operation of a block, found by running it again. @throws RequestFailedError, LimitError */
function rootCall(context: QueryContext, { block, index }: IncludedOperation): CallFrame {
  const { ledger } = context;
  requireTraceable(ledger, block);
  const budget = budgetOf(context);
  const frames = new CallFrames(budget);
  const observer = {
    before: (operation: { readonly index: number }) => (operation.index === index ? frames : undefined),
    after: () => undefined,
    checkTime: () => budget.checkTime(),
  };
  return withinLimits(() => {
    ledger.replay('evm-calls', block, observer, index + 1);
    return frames.root;
  });
}

/** Calls of precompiled contracts are left out. */
export function enteredCalls(context: QueryContext, operation: IncludedOperation) {
  const isPrecompiled = precompiledBy(context.ledger);
  const found: {
    type: string;
    depth: number;
    from: Hexadecimal;
    to: Hexadecimal;
    value: Hexadecimal | null;
    input: Hexadecimal;
    output: Hexadecimal;
  }[] = [];
  for (const { frame, depth } of framesWithin(rootCall(context, operation))) {
    const { kind: type, from, to, value, input, output } = frame;
    if (depth > 0 && type !== 'SELFDESTRUCT' && isPrecompiled(to)) continue;
    found.push({
      ...{ type, depth, from: data(from), to: data(to) },
      value: WITHOUT_VALUE.has(type) ? null : quantity(value),
      input: data(input),
      output: data(output),
    });
  }
  return found;
}

/** Without the outermost call, and without what a failure took back. */
export function internalOperations(context: QueryContext, operation: IncludedOperation) {
  const found: { type: number; from: Hexadecimal; to: Hexadecimal; value: Hexadecimal }[] = [];
  for (const { frame, depth, isGone } of framesWithin(rootCall(context, operation))) {
    const { kind, from, to, value } = frame;
    const type = INTERNAL_KINDS[kind];
    if (depth === 0 || isGone || type === undefined || (type === TRANSFER && value === 0n)) continue;
    found.push({ type, from: data(from), to: data(to), value: quantity(value) });
  }
  return found;
}

/** Which operation of a block created a contract by its code, and who did; undefined where none. */
export function creationWithin(
  context: QueryContext,
  block: BlockSummary,
  address: Address,
): { readonly index: number; readonly creator: Address } | undefined {
  const { ledger } = context;
  requireTraceable(ledger, block);
  const budget = budgetOf(context);
  let frames = new CallFrames(budget);
  let found: { readonly index: number; readonly creator: Address } | undefined;
  const observer = {
    before: () => {
      frames = new CallFrames(budget);
      return frames;
    },
    after: ({ index }: { readonly index: number }) => {
      for (const { frame, isGone } of framesWithin(frames.root)) {
        const isCreation = frame.kind === 'CREATE' || frame.kind === 'CREATE2';
        if (isCreation && !isGone && equalBytes(frame.to, address)) found ??= { index, creator: frame.from };
      }
    },
    checkTime: () => budget.checkTime(),
  };
  withinLimits(() => ledger.replay('evm-calls', block, observer));
  return found;
}

interface PlacedFrame {
  readonly frame: CallFrame;
  readonly depth: number;
  /** Whether a failure of it, or of one around it, took back what it did. */
  readonly isGone: boolean;
}

/** The calls of a tree in the order in which they began; without recursion, since the tree may be deep. */
function* framesWithin(root: CallFrame): Generator<PlacedFrame> {
  const left: PlacedFrame[] = [{ frame: root, depth: 0, isGone: root.failure !== undefined }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    for (const frame of next.frame.calls.toReversed()) {
      left.push({ frame, depth: next.depth + 1, isGone: next.isGone || frame.failure !== undefined });
    }
  }
}
