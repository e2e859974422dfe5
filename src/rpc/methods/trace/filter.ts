import { arrayShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { Profile } from '../../profiles/profile.ts';
import { placedCallShape } from '../../tracing/shapes.ts';
import { filteredCalls, traceFilterSchema } from '../../tracing/trace-filter.ts';

export const filterTraces = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_filter',
    summary: 'Answers the calls of a range of blocks that are from or to some addresses.',
    section: 'traces',
    work: 'trace',
    parameters: [{ name: 'filter', schema: traceFilterSchema }],
    result: arrayShape(placedCallShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [filter]) => filteredCalls(context, profile, filter),
  });
