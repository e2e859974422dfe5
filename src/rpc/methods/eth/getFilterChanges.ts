import { arrayShape, eitherShape, hashShape, logShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

/** The items of a filter: logs for a log filter, hashes for the other kinds. */
export const filterItemsShape = eitherShape(arrayShape(logShape), arrayShape(hashShape));

export const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  section: 'filters',
  work: 'turn',
  summary: 'Answers what is new for a filter since it was last asked: logs, or hashes.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: filterItemsShape,
  errors: [ERRORS.filterNotFound, ERRORS.tooManyLogs],
  differences: 'Past the limit of one answer there is an error, and the filter stays where it was.',
  handler: ({ filters }, [id]) => filters.poll(id),
});
