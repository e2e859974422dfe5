import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';

export const newBlockFilter = defineMethod({
  name: 'eth_newBlockFilter',
  section: 'filters',
  work: 'turn',
  summary: 'Makes a filter that reports the hashes of new blocks, and answers its id.',
  parameters: [],
  result: quantityShape,
  errors: [ERRORS.tooManyFilters],
  handler: ({ filters }, _none, { client }) => quantity(filters.add(client, { kind: 'newHeads' })),
});
