import { nullShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const getBlobsByTransactionHash = defineMethod({
  ...peerNames('getBlobsByTransactionHash'),
  summary: 'Answers null: there are no blobs.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: nullShape,
  handler: () => null,
});
