import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import { resultsOfOperation } from '../../tracing/parity-operations.ts';
import { resultsShape } from '../../tracing/shapes.ts';
import { includedBy } from '../../tracing/traceable.ts';

export const replayTransaction = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'trace_replayTransaction',
    summary: 'Runs an included transaction again and answers the traces that are asked for.',
    section: 'traces',
    work: 'trace',
    parameters: [
      { name: 'transactionHash', schema: hashSchema },
      { name: 'kinds', schema: parityKindsSchema },
    ],
    result: resultsShape,
    errors: [ERRORS.transactionNotFound, ...REPLAY_ERRORS],
    handler: (context, [hash, kinds]) =>
      resultsOfOperation(context, profile, includedBy(context.ledger, hash), kinds),
  });
