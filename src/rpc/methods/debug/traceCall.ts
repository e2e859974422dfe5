import { CALL_TRACE_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { optional } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';
import { traceShape } from '../../tracing/shapes.ts';
import { callConfigSchema, traceCall as traceOf } from '../../tracing/trace-call.ts';

export const traceCall = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'debug_traceCall',
    summary: 'Runs a call on the state of a block, as `eth_call` does, and answers what its code did.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'transaction', schema: profile.call },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
      { name: 'config', schema: callConfigSchema },
    ],
    result: traceShape,
    errors: CALL_TRACE_ERRORS,
    differences: '`pending` is the latest block. `txIndex` and `stateOverrides` exclude each other.',
    handler: (context, [request, reference, config]) => traceOf(context, request, reference, config),
  });
