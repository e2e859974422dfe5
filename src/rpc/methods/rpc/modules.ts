import { namedShape, recordShape, textShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

/** What ends a method's module in its name. */
const MODULE_END = /[_.]/;

export const modules = defineMethod({
  name: 'rpc_modules',
  summary: 'Answers the modules whose methods the node has, each with a version.',
  section: 'description',
  work: 'turn',
  parameters: [],
  result: namedShape('ModuleVersions', { title: 'versions by module' }, recordShape(textShape)),
  differences: 'Every version is 1.0.',
  handler: ({ servedMethods }) =>
    Object.fromEntries(servedMethods.map((name) => [name.split(MODULE_END)[0], '1.0'])),
});
