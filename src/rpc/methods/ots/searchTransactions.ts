import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { LISTED_OPERATIONS_MAX } from '../../../limits.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { foundTransactionsShape, searchTransactions } from '../../otterscan/search.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

const PARAMETERS = [
  { name: 'address', schema: addressSchema },
  {
    name: 'block',
    schema: boundedQuantity(BLOCK_NUMBER_MAX, 'as a block number'),
    summary: 'Itself left out; 0 for all.',
  },
  {
    name: 'size',
    schema: boundedQuantity(LISTED_OPERATIONS_MAX, 'transactions'),
    summary: 'How many at least: those of one block come together.',
  },
] as const;

/** What both searches say of the difference to Erigon. */
const DIFFERENCES =
  'An address has what it sent, received or was created by, what names it, and what has a log of it. Whom code only ' +
  'called or paid is not indexed: traces tell (`trace_filter`).';

export const searchTransactionsBefore = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_searchTransactionsBefore',
    summary: 'Answers the newest transactions of an address before a block, newest first.',
    section: 'otterscan',
    work: 'worker',
    parameters: PARAMETERS,
    result: foundTransactionsShape,
    errors: [ERRORS.tooManyFound, ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: DIFFERENCES,
    handler: (context, [address, block, size]) =>
      searchTransactions(context, profile, { address, block, size, order: 'newestFirst' }),
  });

export const searchTransactionsAfter = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_searchTransactionsAfter',
    summary: 'Answers the oldest transactions of an address after a block, newest first.',
    section: 'otterscan',
    work: 'worker',
    parameters: PARAMETERS,
    result: foundTransactionsShape,
    errors: [ERRORS.tooManyFound, ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: DIFFERENCES,
    handler: (context, [address, block, size]) =>
      searchTransactions(context, profile, { address, block, size, order: 'oldestFirst' }),
  });
