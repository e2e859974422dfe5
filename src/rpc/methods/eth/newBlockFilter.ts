import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineClientMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const newBlockFilter = defineClientMethod({
  name: 'eth_newBlockFilter',
  section: 'filters',
  summary: 'Makes a filter that reports the hashes of new blocks, and answers its id.',
  parameters: [],
  result: quantityResult,
  errors: [ERRORS.tooManyFilters],
  handler: ({ filters, client }) => quantity(filters.addBlockFilter(client)),
});
