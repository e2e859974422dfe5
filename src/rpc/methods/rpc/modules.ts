import { z } from 'zod';
import { defineMethod } from '../../method.ts';

/** What ends a method's module in its name. */
const MODULE_END = /[_.]/;

export const modules = defineMethod({
  name: 'rpc_modules',
  summary: 'Answers the modules whose methods the node has, each with a version.',
  section: 'description',
  parameters: [],
  result: z.record(z.string(), z.string()).meta({ title: 'versions by module' }),
  differences: 'Every version is 1.0.',
  handler: ({ servedMethods }) =>
    Object.fromEntries(servedMethods.map((name) => [name.split(MODULE_END)[0], '1.0'])),
});
