import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineClientMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const newPendingTransactionFilter = defineClientMethod({
  name: 'eth_newPendingTransactionFilter',
  section: 'filters',
  summary: 'Makes a filter that reports the hashes of newly accepted transactions, and answers its id.',
  parameters: [],
  result: quantityResult,
  errors: [ERRORS.tooManyFilters],
  differences:
    'The hashes are those of the pending form, by which a transaction is found before and after it gets ' +
    'its block; one that gets its block at once is reported, too.',
  handler: ({ filters, client }) => quantity(filters.addPendingFilter(client)),
});
