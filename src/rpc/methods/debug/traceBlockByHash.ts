import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';
import { blockTracesShape } from '../../tracing/shapes.ts';
import { traceBlock } from '../../tracing/trace-operations.ts';
import { blockOf } from '../../tracing/traceable.ts';
import { plainConfigSchema } from '../../tracing/tracer-request.ts';

export const traceBlockByHash = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'debug_traceBlockByHash',
    summary: 'Runs the transactions of a block again, given by its hash, and answers what each did.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'blockHash', schema: hashSchema },
      { name: 'config', schema: plainConfigSchema },
    ],
    result: blockTracesShape,
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [selector, config]) =>
      traceBlock(context, profile, blockOf(context.ledger, { hash: selector }), config),
  });
