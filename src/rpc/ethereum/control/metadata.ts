import { defineMethod } from '../../method.ts';
import { peerNames } from '../../test-control/peer-names.ts';
import { metadataOf, metadataShape } from '../../test-control/test-node-metadata.ts';
import { ethereumClientVersion } from '../client-version.ts';
import { FIRST_SNAPSHOT } from './snapshot.ts';

export const metadata = defineMethod({
  ...peerNames('metadata'),
  summary:
    'Tells what the node is, and which run of it: the instance is another one after each start and each reset.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: metadataShape,
  handler: (context) => metadataOf(context, ethereumClientVersion(context), FIRST_SNAPSHOT),
});
