import { flagShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const listening = defineMethod({
  name: 'net_listening',
  summary: 'Tells whether the node listens for connections.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: flagShape,
  example: { parameters: [], result: true },
  handler: ({ nodeStatus }) => nodeStatus.listening(),
});
