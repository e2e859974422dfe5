import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import type { Profile } from '../../profiles/profile.ts';
import { blockTracesShape } from '../../tracing/shapes.ts';
import { traceBlock } from '../../tracing/trace-operations.ts';
import { blockOf } from '../../tracing/traceable.ts';
import { plainConfigSchema } from '../../tracing/tracer-request.ts';

export const traceBlockByNumber = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'debug_traceBlockByNumber',
    summary: 'Runs the transactions of a block again, given by its number, and answers what each did.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'block', schema: blockSelectorSchema },
      { name: 'config', schema: plainConfigSchema },
    ],
    result: blockTracesShape,
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [selector, config]) =>
      traceBlock(context, profile, blockOf(context.ledger, selector), config),
  });
