import { type Shape, shape } from '../../../formatters/index.ts';
import { nativeTransactionOf, OpcodeGas } from '../../../ledger/index.ts';
import { blockHashOf, ethereumTransactionKind, type Hash, toPrefixedHex } from '../../../protocol/index.ts';
import { CALL_TRACE_ERRORS, ERRORS, REPLAY_ERRORS } from '../../description/described-errors.ts';
import { ofBlock, ofState, ofTransaction } from '../../fork/history-rules.ts';
import { tracesOnFork } from '../../fork/range-rules.ts';
import { requireStored } from '../../logs/find-logs.ts';
import { defineTraceMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { uint64Schema } from '../../parameters/plain.ts';
import { dataSchema, hashSchema, optional, withPath } from '../../parameters/schema.ts';
import { arrayOf, pairOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { beginParityTracing, parityBuild, parityKindsSchema } from '../../tracing/parity-traces.ts';
import { callsOfBlock, type PlacedCall, traceBlock, traceOperation } from '../../tracing/replay.ts';
import { buildOfCalls, resultsOfCalls, resultsOfUnsent } from '../../tracing/trace-call.ts';
import { filteredCalls, matchOf, traceFilterSchema } from '../../tracing/trace-filter.ts';
import { blockOf, includedBy, isShortOperation } from '../../tracing/traceable.ts';
import type { TraceScope, Tracing } from '../../tracing/tracers.ts';
import { decodeTransaction } from '../../transactions/raw-transactions.ts';

/** Calls of one `trace_callMany`, and kinds of traces in one request. */
const TRACED_CALLS_MAX = 1_000;
/** Depth of calls (the yellow paper's bound), the outermost not counted. */
const CALL_DEPTH_MAX = 1_024;

const actionShape = shape.object({
  callType: shape.optional(shape.text),
  creationMethod: shape.optional(shape.text),
  from: shape.optional(shape.address),
  gas: shape.optional(shape.quantity),
  input: shape.optional(shape.data),
  init: shape.optional(shape.data),
  to: shape.optional(shape.address),
  value: shape.optional(shape.quantity),
  address: shape.optional(shape.address),
  refundAddress: shape.optional(shape.address),
  balance: shape.optional(shape.quantity),
});

const flatFields = {
  action: actionShape,
  error: shape.optional(shape.text),
  result: shape.optional(
    shape.nullable(
      shape.object({
        address: shape.optional(shape.address),
        code: shape.optional(shape.data),
        gasUsed: shape.quantity,
        output: shape.optional(shape.data),
      }),
    ),
  ),
  subtraces: shape.integer,
  traceAddress: shape.array(shape.integer),
  type: shape.text,
} as const;

const placedCallShape = shape.named(
  'ParityTrace',
  { title: 'call of a transaction' },
  shape.object({
    ...flatFields,
    blockHash: shape.hash,
    blockNumber: shape.integer,
    transactionHash: shape.hash,
    transactionPosition: shape.integer,
  }),
);

/** The results of `trace_call` and similar methods. */
const resultsShape: Shape<unknown> = shape.named(
  'TraceResults',
  { title: 'results of a transaction', description: 'Traces that were not requested are null or empty.' },
  shape.object({
    output: shape.data,
    stateDiff: shape.anything,
    trace: shape.array(shape.object(flatFields)),
    transactionHash: shape.optional(shape.hash),
    vmTrace: shape.anything,
  }),
);

const opcodeGasShape = shape.named(
  'OpcodeGas',
  { title: 'gas of a transaction by opcode' },
  shape.object({
    transactionHash: shape.hash,
    opcodeGas: shape.array(
      shape.object({ opcode: shape.text, count: shape.integer, gasUsed: shape.integer }),
    ),
  }),
);

/** Returns the calls of an included operation. @throws RequestFailedError, LimitError, TraceTimeoutError */
function callsOfOperation(context: QueryContext, hash: Hash): PlacedCall[] {
  const { block, index } = includedBy(context.ledger, hash);
  return callsOfBlock(context, block, undefined, index);
}

const traceCallsOfTransaction = defineTraceMethod({
  name: 'trace_transaction',
  summary: 'Returns the calls of an included transaction as a flat list.',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  beforeFork: ofTransaction(),
  result: shape.array(placedCallShape),
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash]) => callsOfOperation(context, hash),
});

const traceCallAt = defineTraceMethod({
  name: 'trace_get',
  summary: 'Returns one call of an included transaction by its trace address; null if there is none.',
  parameters: [
    { name: 'transactionHash', schema: hashSchema },
    {
      name: 'traceAddress',
      schema: arrayOf(uint64Schema, { most: CALL_DEPTH_MAX, unit: 'indexes' }),
      summary: 'The `traceAddress` of the call; empty for the outermost call.',
    },
  ],
  beforeFork: ofTransaction(),
  result: shape.nullable(placedCallShape),
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  isShort: ({ ledger }, [hash]) => isShortOperation(ledger, hash),
  handler: (context, [hash, wanted]) => {
    const calls = callsOfOperation(context, hash);
    const isWanted = (address: readonly number[]): boolean =>
      address.length === wanted.length && address.every((index, depth) => BigInt(index) === wanted[depth]);
    return calls.find(({ traceAddress }) => isWanted(traceAddress)) ?? null;
  },
});

const replayTransaction = defineTraceMethod({
  name: 'trace_replayTransaction',
  summary: 'Runs an included transaction again and returns the requested traces.',
  parameters: [
    { name: 'transactionHash', schema: hashSchema },
    { name: 'kinds', schema: parityKindsSchema },
  ],
  beforeFork: ofTransaction(),
  result: resultsShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  build: ([, kinds]) => parityBuild(kinds),
  handler: (context, [hash, kinds]) =>
    traceOperation(context, includedBy(context.ledger, hash), {
      build: parityBuild(kinds),
      begin: (scope) => beginParityTracing(kinds, scope),
    }),
});

const traceCallsOfBlock = defineTraceMethod({
  name: 'trace_block',
  summary: 'Returns the calls of all transactions of a block as a flat list.',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  beforeFork: ofBlock(0),
  result: shape.array(placedCallShape),
  errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
  handler: (context, [reference]) => callsOfBlock(context, blockOf(context.ledger, reference)),
});

const replayBlockTransactions = defineTraceMethod({
  name: 'trace_replayBlockTransactions',
  summary: 'Runs the transactions of a block again and returns the requested traces of each.',
  parameters: [
    { name: 'block', schema: blockReferenceSchema },
    { name: 'kinds', schema: parityKindsSchema },
  ],
  beforeFork: ofBlock(0),
  result: shape.array(resultsShape),
  errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
  build: ([, kinds]) => parityBuild(kinds),
  handler: (context, [reference, kinds]) =>
    traceBlock(context, blockOf(context.ledger, reference), {
      build: parityBuild(kinds),
      begin: (scope) =>
        beginParityTracing(
          kinds,
          scope,
          scope.position && { transactionHash: scope.position.transactionHash },
        ),
    }),
});

const filterTraces = defineTraceMethod({
  name: 'trace_filter',
  summary: 'Returns the calls from or to addresses in a range of blocks.',
  parameters: [{ name: 'filter', schema: traceFilterSchema }],
  beforeFork: (forked, [filter]) => tracesOnFork(forked, filter, matchOf(filter)),
  result: shape.array(placedCallShape),
  errors: [ERRORS.blockNotFound, ERRORS.pendingTraces, ...REPLAY_ERRORS],
  handler: (context, [filter]) => {
    if (!context.profile.lenientLogs) requireStored(filter, 'traces');
    return filteredCalls(context, filter);
  },
});

const traceOneCall = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_call',
    summary: 'Runs a call on the state of a block and returns the requested traces.',
    parameters: [
      { name: 'transaction', schema: profile.call },
      { name: 'kinds', schema: parityKindsSchema },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    beforeFork: ofState(2, 'anything'),
    result: resultsShape,
    errors: CALL_TRACE_ERRORS,
    build: ([, kinds]) => parityBuild(kinds),
    handler: (context, [request, kinds, reference]) =>
      resultsOfCalls(context, [[request, kinds]], reference, false),
  });

const traceManyCalls = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_callMany',
    summary:
      'Runs calls on the state of a block, each on the state after the calls before it, and returns their traces.',
    parameters: [
      {
        name: 'calls',
        schema: arrayOf(pairOf(profile.call, parityKindsSchema), {
          most: TRACED_CALLS_MAX,
          unit: 'calls',
        }),
        summary: 'Pairs of a call and the kinds of its traces.',
      },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    beforeFork: ofState(1, 'anything'),
    result: shape.array(resultsShape),
    errors: CALL_TRACE_ERRORS,
    build: ([calls]) => buildOfCalls(calls),
    handler: (context, [calls, reference]) => resultsOfCalls(context, calls, reference, true),
  });

const traceRawTransaction = defineTraceMethod({
  name: 'trace_rawTransaction',
  summary:
    'Runs a signed transaction on the latest state without sending it, and returns the requested traces.',
  parameters: [
    { name: 'transaction', schema: withPath(dataSchema) },
    { name: 'kinds', schema: parityKindsSchema },
  ],
  beforeFork: 'local',
  result: resultsShape,
  errors: [ERRORS.transactionRefused, ERRORS.traceTimedOut, ERRORS.traceTooLarge],
  differences:
    'Accepts native transactions of one operation, too, and does not check their signatures, expiration and ' +
    'reference block.',
  build: ([, kinds]) => parityBuild(kinds),
  handler: (context, [given, kinds]) => {
    const { value: bytes } = given;
    const isEthereum =
      context.ledger.parameters.knowsEthereum && ethereumTransactionKind(bytes) !== undefined;
    const transaction = isEthereum
      ? nativeTransactionOf(bytes)
      : decodeTransaction(given, context.ledger.parameters);
    const [operation, second] = transaction.operations;
    if (operation === undefined || second !== undefined) {
      throw new RequestFailedError('the transaction must have exactly one operation');
    }
    return resultsOfUnsent(context, operation, kinds);
  },
});

/** Counts the instructions of each operation. */
const opcodeGasTracer = {
  build: 'evm-steps',
  begin: ({ budget, out, position }: TraceScope): Tracing => {
    const listener = new OpcodeGas(budget);
    const write = (): void => {
      const opcodeGas = listener.usages.map((usage) => ({ ...usage, gasUsed: Number(usage.gasUsed) }));
      out.add(JSON.stringify({ transactionHash: position?.transactionHash, opcodeGas }));
    };
    return { listener, write };
  },
} as const;

const opcodeGasOfTransaction = defineTraceMethod({
  name: 'trace_transactionOpcodeGas',
  summary:
    'Runs an included transaction again and returns the count and the gas of its instructions by opcode.',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  beforeFork: ofTransaction(),
  result: opcodeGasShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  build: () => 'evm-steps',
  handler: (context, [hash]) => traceOperation(context, includedBy(context.ledger, hash), opcodeGasTracer),
});

const opcodeGasOfBlock = defineTraceMethod({
  name: 'trace_blockOpcodeGas',
  summary:
    'Runs the transactions of a block again and returns the count and the gas of the instructions of each by opcode.',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  beforeFork: ofBlock(0),
  result: shape.object({
    blockHash: shape.hash,
    blockNumber: shape.integer,
    transactions: shape.array(opcodeGasShape),
  }),
  errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
  build: () => 'evm-steps',
  handler: (context, [reference]) => {
    const block = blockOf(context.ledger, reference);
    const blockHash = toPrefixedHex(blockHashOf(block.id));
    const start = `{"blockHash":"${blockHash}","blockNumber":${block.number},"transactions":[`;
    return traceBlock(context, block, opcodeGasTracer, [start, ']}']);
  },
});

/** Returns the methods that trace as Parity does. */
export function parityMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    traceCallsOfTransaction,
    traceCallsOfBlock,
    filterTraces,
    traceCallAt,
    replayTransaction,
    replayBlockTransactions,
    traceOneCall(profile),
    traceManyCalls(profile),
    opcodeGasOfTransaction,
    opcodeGasOfBlock,
    traceRawTransaction,
  ];
}
