import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineClientMethod } from '../../method.ts';
import { logCriteriaSchema } from '../../schemas/log-filter.ts';
import { quantityResult } from '../../schemas/results.ts';

export const newFilter = defineClientMethod({
  name: 'eth_newFilter',
  section: 'filters',
  summary: 'Makes a filter that reports the matching logs of new blocks, and answers its id.',
  parameters: [{ name: 'options', schema: logCriteriaSchema }],
  result: quantityResult,
  errors: [ERRORS.tooManyFilters],
  differences: 'The range of the filter begins at the block that `latest` was when the filter was made.',
  handler: ({ filters, client }, criteria) => quantity(filters.addLogFilter(client, criteria)),
});
