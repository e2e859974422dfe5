import { integerShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

/** What of Otterscan's methods the node has. */
const LEVEL = 8;

export const getApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  summary: 'Answers the level of the methods of Otterscan that the node has.',
  section: 'otterscan',
  work: 'quick',
  parameters: [],
  result: integerShape,
  example: { parameters: [], result: LEVEL },
  handler: () => LEVEL,
});
