import { blockHashOf } from '../../../protocol/index.ts';
import {
  data,
  emptyObjectShape,
  hashShape,
  integerShape,
  namedShape,
  objectShape,
  textShape,
} from '../../../view/index.ts';
import { clientVersionOf } from '../../client-version.ts';
import { defineMethod } from '../../method.ts';
import { peerNames } from '../../peer-names.ts';

const metadataShape = namedShape(
  'TestNodeMetadata',
  { title: 'metadata of a test node' },
  objectShape({
    clientVersion: textShape,
    clientSemver: textShape,
    chainId: integerShape,
    instanceId: hashShape,
    latestBlockNumber: integerShape,
    latestBlockHash: hashShape,
    snapshots: emptyObjectShape,
  }),
);

export const metadata = defineMethod({
  ...peerNames('metadata'),
  summary: 'Tells what the node is, and which run of it: the instance is another one after each start.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: metadataShape,
  handler: ({ control, ledger, version }) => {
    const { number, id } = ledger.head();
    return {
      clientVersion: clientVersionOf(version),
      clientSemver: version,
      chainId: ledger.network.chainId,
      instanceId: data(control.instanceId),
      latestBlockNumber: number,
      latestBlockHash: data(blockHashOf(id)),
      snapshots: {},
    };
  },
});
