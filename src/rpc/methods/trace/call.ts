import { CALL_TRACE_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { optional } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';
import { resultsOfCalls } from '../../tracing/parity-calls.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import { resultsShape } from '../../tracing/shapes.ts';

export const traceOneCall = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_call',
    summary: 'Runs a call on the state of a block and answers the traces that are asked for.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'transaction', schema: profile.call },
      { name: 'kinds', schema: parityKindsSchema },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    result: resultsShape,
    errors: CALL_TRACE_ERRORS,
    handler: (context, [request, kinds, reference]) =>
      resultsOfCalls(context, [[request, kinds]], reference, false),
  });
