import { integerShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const chainId = defineMethod({
  name: 'eth_chainId',
  summary: 'Answers the chain id as a JSON integer.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: integerShape,
  differences: 'A JSON integer, not a QUANTITY.',
  example: { parameters: [], result: 255 },
  handler: ({ ledger }) => ledger.network.chainId,
});
