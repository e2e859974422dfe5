import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import { filterItemsShape } from './getFilterChanges.ts';

export const getFilterLogs = defineMethod({
  name: 'eth_getFilterLogs',
  section: 'filters',
  work: 'turn',
  summary: 'Answers all logs that match a log filter; of another filter what its next poll will answer.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: filterItemsShape,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs],
  differences: 'A block filter or a pending-transaction filter is answered, too; it is not a poll.',
  handler: ({ filters }, [id]) => filters.logs(id),
});
