import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { filterItemsResult } from '../../schemas/results.ts';

export const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  section: 'filters',
  summary: 'Answers what is new for a filter since it was last asked: logs, or hashes.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: filterItemsResult,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs],
  differences: 'Past the limit of one answer there is an error, and the filter stays where it was.',
  handler: ({ filters }, id) => filters.poll(id),
});
