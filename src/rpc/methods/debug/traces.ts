import { shape } from '../../../formatters/index.ts';
import { CALL_TRACE_ERRORS, ERRORS, REPLAY_ERRORS } from '../../description/described-errors.ts';
import { ofBlock, ofState, ofTransaction } from '../../fork/history-rules.ts';
import { defineTraceMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { dataSchema, hashSchema, optional } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';
import { traceBlock, traceGivenBlock, traceOperation } from '../../tracing/replay.ts';
import { callConfigSchema, traceCall as traceOf } from '../../tracing/trace-call.ts';
import { blockOf, includedBy, isShortOperation } from '../../tracing/traceable.ts';
import { plainConfigSchema, type TraceConfig } from '../../tracing/tracer-request.ts';
import { beginTracing, buildOf, type TraceScope, type Tracing } from '../../tracing/tracers.ts';
import { BLOCK_CHOICES, type BlockChoice } from '../eth/block-choice.ts';

const traceShape = shape.named(
  'Trace',
  {
    title: 'trace',
    description:
      'Without a tracer `{gas, failed, returnValue, structLogs}`, otherwise the result of the tracer.',
  },
  shape.anything,
);

const blockTracesShape = shape.array(shape.object({ txHash: shape.hash, result: traceShape }));

/** Prepares tracing each operation with the tracer of a configuration. */
const tracerOf = ({ tracer, milliseconds }: TraceConfig) => ({
  build: buildOf(tracer),
  milliseconds,
  begin: (scope: TraceScope) => beginTracing(tracer, scope),
});

const traceTransaction = defineTraceMethod({
  name: 'debug_traceTransaction',
  summary: 'Runs an included transaction again and returns its trace.',
  parameters: [
    { name: 'transactionHash', schema: hashSchema },
    { name: 'config', schema: plainConfigSchema },
  ],
  beforeFork: ofTransaction(),
  result: traceShape,
  errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
  differences: 'A native operation is one call without code; `gasUsed` includes charges other than gas.',
  build: ([, { tracer }]) => buildOf(tracer),
  isShort: ({ ledger }, [hash, { tracer }]) => buildOf(tracer) === 'evm' && isShortOperation(ledger, hash),
  handler: (context, [hash, config]) =>
    traceOperation(context, includedBy(context.ledger, hash), tracerOf(config)),
});

const traceCall = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'debug_traceCall',
    summary: 'Runs a call on the state of a block, like `eth_call`, and returns its trace.',
    parameters: [
      { name: 'transaction', schema: profile.call },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
      { name: 'config', schema: callConfigSchema },
    ],
    beforeFork: ofState(1, 'anything'),
    result: traceShape,
    errors: CALL_TRACE_ERRORS,
    differences: '`txIndex` and `stateOverrides` exclude each other.',
    build: ([, , { tracer }]) => buildOf(tracer),
    handler: (context, [request, reference, config]) => traceOf(context, request, reference, config),
  });

/** Prepares the same for the traces of a block, each beside the hash of its transaction. */
const listedTracerOf = (config: TraceConfig) => ({
  ...tracerOf(config),
  begin: (scope: TraceScope): Tracing => {
    scope.out.add(`{"txHash":"${scope.position?.transactionHash ?? '0x'}","result":`);
    const { listener, write } = beginTracing(config.tracer, scope);
    return {
      listener,
      write: (gas) => {
        write(gas);
        scope.out.add('}');
      },
    };
  },
});

const traceBlockBy = ({ suffix, parameter }: BlockChoice): MethodDefinition =>
  defineTraceMethod({
    name: `debug_traceBlockBy${suffix}`,
    summary: `Runs the transactions of a block again, given by its ${suffix.toLowerCase()}, and returns their traces.`,
    parameters: [parameter, { name: 'config', schema: plainConfigSchema }],
    beforeFork: ofBlock(0),
    result: blockTracesShape,
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    build: ([, { tracer }]) => buildOf(tracer),
    handler: (context, [reference, config]) =>
      traceBlock(context, blockOf(context.ledger, reference), listedTracerOf(config)),
  });

const traceBytes = defineTraceMethod({
  name: 'debug_traceBlock',
  summary:
    'Runs the transactions of a block, given by its bytes, after its parent, and returns their traces.',
  parameters: [
    { name: 'block', schema: dataSchema, summary: 'The bytes, as `debug_getRawBlock` returns them.' },
    { name: 'config', schema: plainConfigSchema },
  ],
  beforeFork: 'local',
  result: blockTracesShape,
  errors: [ERRORS.blockNotDecoded, ERRORS.blockNotFound, ERRORS.transactionRefused, ...REPLAY_ERRORS],
  differences:
    'Of a native block, which need not be one of the chain, but its parent must be. Its signatures are not checked.',
  build: ([, { tracer }]) => buildOf(tracer),
  handler: (context, [bytes, config]) => traceGivenBlock(context, bytes, listedTracerOf(config)),
});

/** Returns the methods that trace with a tracer, as geth has them. */
export function tracerMethods(profile: Profile): readonly MethodDefinition[] {
  return [traceTransaction, traceCall(profile), ...BLOCK_CHOICES.toReversed().map(traceBlockBy), traceBytes];
}
