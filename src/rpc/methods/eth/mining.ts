import { flagShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const mining = defineMethod({
  name: 'eth_mining',
  summary: 'Tells whether the node is generating blocks.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: flagShape,
  differences:
    'Tells of block production, not of proof of work: it is on, the node holds the key of a producer, and nothing ' +
    'keeps it from making blocks.',
  example: { parameters: [], result: true },
  handler: ({ ledger, nodeStatus }) => ledger.isMining() && nodeStatus.mayProduce(),
});
