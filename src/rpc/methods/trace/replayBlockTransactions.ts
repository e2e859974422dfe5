import { arrayShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import type { Profile } from '../../profiles/profile.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import { resultsOfBlock } from '../../tracing/parity-operations.ts';
import { resultsShape } from '../../tracing/shapes.ts';
import { blockOf } from '../../tracing/traceable.ts';

export const replayBlockTransactions = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_replayBlockTransactions',
    summary: 'Runs the transactions of a block again and answers the traces that are asked for of each.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'block', schema: blockReferenceSchema },
      { name: 'kinds', schema: parityKindsSchema },
    ],
    result: arrayShape(resultsShape),
    errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
    handler: (context, [reference, kinds]) =>
      resultsOfBlock(context, profile, blockOf(context.ledger, reference), kinds),
  });
