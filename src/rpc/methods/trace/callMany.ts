import { TRACED_CALLS_MAX } from '../../../limits.ts';
import { arrayShape } from '../../../view/index.ts';
import { CALL_TRACE_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { optional } from '../../parameters/schema.ts';
import { arrayOf, pairOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import { resultsOfCalls } from '../../tracing/parity-calls.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import { resultsShape } from '../../tracing/shapes.ts';

export const traceManyCalls = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_callMany',
    summary: 'Runs calls on the state of a block, each on what those before it have left.',
    section: 'traces',
    work: 'trace',
    parameters: [
      {
        name: 'calls',
        schema: arrayOf(pairOf(profile.call, parityKindsSchema), {
          most: TRACED_CALLS_MAX,
          unit: 'calls',
        }),
        summary: 'Each a list of a call and of what is asked for of it.',
      },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    result: arrayShape(resultsShape),
    errors: CALL_TRACE_ERRORS,
    handler: (context, [calls, reference]) => resultsOfCalls(context, calls, reference, true),
  });
