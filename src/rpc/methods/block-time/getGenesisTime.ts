import { integerShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const getGenesisTime = defineMethod({
  ...peerNames('getGenesisTime'),
  summary: 'Answers the Unix time of block 0 in seconds.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: integerShape,
  example: { parameters: [], result: 1790000000 },
  handler: ({ ledger }) => ledger.genesis.timestamp,
});
