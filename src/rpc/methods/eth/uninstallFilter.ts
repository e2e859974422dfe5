import { defineMethod } from '../../method.ts';
import { flagSchema } from '../../schemas/plain.ts';
import { quantitySchema } from '../../schemas/quantity.ts';

export const uninstallFilter = defineMethod({
  name: 'eth_uninstallFilter',
  section: 'filters',
  summary: 'Removes a filter; answers false when there is none with this id.',
  parameters: [{ name: 'filterId', schema: quantitySchema }],
  result: flagSchema,
  handler: ({ filters }, id) => filters.remove(id),
});
