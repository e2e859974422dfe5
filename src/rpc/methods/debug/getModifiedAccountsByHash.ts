import { addressShape, arrayShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { REPLAY_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { optional } from '../../parameters/schema.ts';
import { modifiedBetween } from '../../tracing/modified-accounts.ts';
import { blockOf } from '../../tracing/traceable.ts';

export const getModifiedAccountsByHash = defineMethod({
  name: 'debug_getModifiedAccountsByHash',
  summary:
    'Answers the addresses whose account or storage is not the same after two blocks, given by their hashes.',
  section: 'traces',
  work: 'trace',
  parameters: [
    { name: 'startHash', schema: hashSchema },
    {
      name: 'endHash',
      schema: optional(hashSchema),
      summary: 'The later one; absent: what the first one has changed itself.',
    },
  ],
  result: arrayShape(addressShape),
  errors: [ERRORS.blockNotFound, ...REPLAY_ERRORS],
  differences: 'In the order of the addresses. Patches of a test after a block count as part of it.',
  handler: (context, [first, last]) =>
    modifiedBetween(
      context,
      blockOf(context.ledger, { hash: first }),
      last === undefined ? undefined : blockOf(context.ledger, { hash: last }),
    ),
});
