import { clientVersionOf } from '../../client-version.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../peer-names.ts';
import { metadataOf, metadataShape } from '../../test-node-metadata.ts';

export const metadata = defineMethod({
  ...peerNames('metadata'),
  summary:
    'Tells what the node is, and which run of it: the instance is another one after each start and each reset.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: metadataShape,
  handler: (context) => metadataOf(context, clientVersionOf(context.version)),
});
