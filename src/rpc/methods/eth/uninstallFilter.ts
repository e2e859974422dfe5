import { flagShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const uninstallFilter = defineMethod({
  name: 'eth_uninstallFilter',
  section: 'filters',
  work: 'turn',
  summary: 'Removes a filter; answers false when there is none with this id.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: flagShape,
  handler: ({ filters }, [id]) => filters.remove(id),
});
