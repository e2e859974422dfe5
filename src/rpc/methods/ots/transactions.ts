import { shape, type ValueOf } from '../../../formatters/index.ts';
import {
  type BlockSummary,
  type CallFrame,
  CallFrames,
  type IncludedOperation,
} from '../../../ledger/index.ts';
import { type Address, equalBytes, quantity, toPrefixedHex } from '../../../protocol/index.ts';
import { ERRORS, REPLAY_ERRORS } from '../../description/described-errors.ts';
import { ofEither, ofTransaction } from '../../fork/history-rules.ts';
import { defineOtterscanQuery, defineTraceMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { uint64Schema } from '../../parameters/plain.ts';
import { addressSchema, hashSchema } from '../../parameters/schema.ts';
import { replayBlock } from '../../tracing/replay.ts';
import { budgetOf, includedBy, isShortOperation } from '../../tracing/traceable.ts';
import { precompiledBy } from '../../tracing/tracers.ts';
import { includedWithNonce } from '../eth/sent-operations.ts';

const enteredCallsShape = shape.array(
  shape.object({
    type: shape.text,
    depth: shape.described(shape.integer, '0 for the outermost call.'),
    from: shape.address,
    to: shape.address,
    value: shape.described(
      shape.nullable(shape.quantity),
      'Null for kinds of calls that cannot transfer value.',
    ),
    input: shape.data,
    output: shape.data,
  }),
);

const internalOperationsShape = shape.array(
  shape.object({
    type: shape.described(shape.integer, '0: transfer, 1: self-destruction, 2: CREATE, 3: CREATE2.'),
    from: shape.address,
    to: shape.address,
    value: shape.quantity,
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

/** Returns the outermost call of an operation by running it again. @throws RequestFailedError, LimitError */
function rootCall(context: QueryContext, { block, index }: IncludedOperation): CallFrame {
  const budget = budgetOf(context);
  const frames = new CallFrames(budget);
  replayBlock(context, block, { build: 'evm', budget, only: index, begin: () => frames });
  return frames.root;
}

/** Returns the calls of an operation but those of precompiled contracts. */
function enteredCalls(context: QueryContext, operation: IncludedOperation) {
  const isPrecompiled = precompiledBy(context.ledger);
  const found: ValueOf<typeof enteredCallsShape>[number][] = [];
  for (const { frame, depth } of framesWithin(rootCall(context, operation))) {
    const { kind: type, from, to, value, input, output } = frame;
    if (depth > 0 && type !== 'SELFDESTRUCT' && isPrecompiled(to)) continue;
    found.push({
      type,
      depth,
      from: toPrefixedHex(from),
      to: toPrefixedHex(to),
      value: WITHOUT_VALUE.has(type) ? null : quantity(value),
      input: toPrefixedHex(input),
      output: toPrefixedHex(output),
    });
  }
  return found;
}

/** Returns what calls within the outermost one moved, created and destroyed, unless a failure reverted it. */
function internalOperations(context: QueryContext, operation: IncludedOperation) {
  const found: ValueOf<typeof internalOperationsShape>[number][] = [];
  for (const { frame, depth, isGone } of framesWithin(rootCall(context, operation))) {
    const { kind, from, to, value } = frame;
    const type = INTERNAL_KINDS[kind];
    if (depth === 0 || isGone || type === undefined || (type === TRANSFER && value === 0n)) continue;
    found.push({ type, from: toPrefixedHex(from), to: toPrefixedHex(to), value: quantity(value) });
  }
  return found;
}

/** Finds the operation of a block whose code created a contract, and the creator; undefined where none did. */
export function creationWithin(
  context: QueryContext,
  block: BlockSummary,
  address: Address,
): { readonly index: number; readonly creator: Address } | undefined {
  const budget = budgetOf(context);
  let frames = new CallFrames(budget);
  let found: { readonly index: number; readonly creator: Address } | undefined;
  replayBlock(context, block, {
    build: 'evm',
    budget,
    begin: () => {
      frames = new CallFrames(budget);
      return frames;
    },
    end: ({ index }) => {
      for (const { frame, isGone } of framesWithin(frames.root)) {
        const isCreation = frame.kind === 'CREATE' || frame.kind === 'CREATE2';
        if (isCreation && !isGone && equalBytes(frame.to, address)) found ??= { index, creator: frame.from };
      }
    },
  });
  return found;
}

interface PlacedFrame {
  readonly frame: CallFrame;
  readonly depth: number;
  /** True if its failure, or that of a call around it, reverted it. */
  readonly isGone: boolean;
}

/** Yields the calls of a tree in the order in which they began; without recursion, since the tree may be deep. */
function* framesWithin(root: CallFrame): Generator<PlacedFrame> {
  const left: PlacedFrame[] = [{ frame: root, depth: 0, isGone: root.failure !== undefined }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next;
    for (const frame of next.frame.calls.toReversed()) {
      left.push({ frame, depth: next.depth + 1, isGone: next.isGone || frame.failure !== undefined });
    }
  }
}

const getTransactionError = defineOtterscanQuery({
  name: 'ots_getTransactionError',
  summary: 'Returns the revert data of an included transaction; `0x` if it did not revert.',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  beforeFork: ofTransaction((_history, hash, otterscan) => otterscan.transactionError(hash)),
  result: shape.data,
  errors: [ERRORS.transactionNotFound],
  handler: ({ ledger }, [hash]) => {
    const { block, index } = includedBy(ledger, hash);
    return toPrefixedHex(ledger.blocks.receiptOutlineOf(block.number, index)?.output ?? new Uint8Array());
  },
});

const traceEnteredCalls = defineTraceMethod({
  name: 'ots_traceTransaction',
  summary: 'Returns the calls of an included transaction in the order in which they began.',
  section: 'otterscan',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  beforeFork: ofTransaction((_history, hash, otterscan) => otterscan.enteredCalls(hash)),
  result: enteredCallsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'Without calls of precompiled contracts, like Erigon.',
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => enteredCalls(context, includedBy(context.ledger, hash)),
});

const getInternalOperations = defineTraceMethod({
  name: 'ots_getInternalOperations',
  summary: 'Returns the transfers, creations and self-destructions by the code of an included transaction.',
  section: 'otterscan',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  beforeFork: ofTransaction((_history, hash, otterscan) => otterscan.internalOperations(hash)),
  result: internalOperationsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'Without operations that a failure reverted.',
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => internalOperations(context, includedBy(context.ledger, hash)),
});

/** Returns the method that finds the hash of a transaction by its nonce. */
export const hashByNonceMethod = (findIncluded: typeof includedWithNonce): MethodDefinition =>
  defineOtterscanQuery({
    name: 'ots_getTransactionBySenderAndNonce',
    summary: 'Returns the hash of the included transaction of a sender with a nonce; null if there is none.',
    parameters: [
      { name: 'sender', schema: addressSchema },
      { name: 'nonce', schema: uint64Schema },
    ],
    beforeFork: ofEither((_history, [sender, nonce], otterscan) => otterscan.sentWithNonce(sender, nonce)),
    result: shape.nullable(shape.hash),
    differences:
      'The nonce of a native operation is the number of operations that its payer paid for before it (history plugin).',
    handler: ({ ledger, objects }, [sender, nonce]) => {
      const found = findIncluded(ledger, sender, nonce);
      return found === undefined ? null : objects.hash(found);
    },
  });

/** Otterscan's methods about transactions. */
export const OTTERSCAN_TRANSACTION_METHODS: readonly MethodDefinition[] = [
  getTransactionError,
  traceEnteredCalls,
  getInternalOperations,
  hashByNonceMethod(includedWithNonce),
];
