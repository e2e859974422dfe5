import { arrayShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import type { Profile } from '../../profiles/profile.ts';
import { callsOfBlock } from '../../tracing/parity-operations.ts';
import { placedCallShape } from '../../tracing/shapes.ts';
import { blockOf, budgetOf, withinLimits } from '../../tracing/traceable.ts';

export const traceCallsOfBlock = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_block',
    summary: 'Answers the calls of all transactions of a block as a flat list.',
    section: 'traces',
    work: 'trace',
    parameters: [{ name: 'block', schema: blockReferenceSchema }],
    result: arrayShape(placedCallShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [reference]) => {
      const block = blockOf(context.ledger, reference);
      const budget = budgetOf(context);
      return withinLimits(() => callsOfBlock(context, profile, block, budget));
    },
  });
