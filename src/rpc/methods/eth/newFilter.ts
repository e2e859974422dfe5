import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { logCriteriaSchema } from '../../parameters/log-options.ts';
import { placed } from '../../parameters/schema.ts';

export const newFilter = defineMethod({
  name: 'eth_newFilter',
  section: 'filters',
  work: 'turn',
  summary: 'Makes a filter that reports the matching logs of new blocks, and answers its id.',
  parameters: [{ name: 'options', schema: placed(logCriteriaSchema) }],
  result: quantityShape,
  errors: [ERRORS.tooManyFilters],
  differences: 'The range of the filter begins at the block that `latest` was when the filter was made.',
  handler: ({ filters }, [criteria], { client }) => quantity(filters.add(client, { kind: 'logs', criteria })),
});
