import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';

export const newPendingTransactionFilter = defineMethod({
  name: 'eth_newPendingTransactionFilter',
  section: 'filters',
  work: 'turn',
  summary: 'Makes a filter that reports the hashes of newly accepted transactions, and answers its id.',
  parameters: [],
  result: quantityShape,
  errors: [ERRORS.tooManyFilters],
  differences:
    'The hashes are those of the pending form, by which a transaction is found before and after it gets ' +
    'its block; one that gets its block at once is reported, too.',
  handler: ({ filters }, _none, { client }) =>
    quantity(filters.add(client, { kind: 'newPendingTransactions' })),
});
