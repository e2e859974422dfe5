import { blockHashOf } from '../../../protocol/index.ts';
import {
  arrayShape,
  data,
  describedShape,
  eitherShape,
  type Hexadecimal,
  hashShape,
  integerShape,
  namedShape,
  objectShape,
  quantity,
  recordShape,
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
    snapshots: describedShape(
      recordShape(arrayShape(eitherShape(integerShape, hashShape))),
      'Number and hash of the block of each snapshot, by its id.',
    ),
  }),
);

export const metadata = defineMethod({
  ...peerNames('metadata'),
  summary:
    'Tells what the node is, and which run of it: the instance is another one after each start and each reset.',
  section: 'control',
  work: 'quick',
  chains: 'test',
  parameters: [],
  result: metadataShape,
  handler: ({ testChain, ledger, version }) => {
    const { number, id } = ledger.head();
    const placeOf = (block: number): (number | Hexadecimal)[] => {
      const found = ledger.blockByNumber(block);
      return found === undefined ? [block] : [block, data(blockHashOf(found.id))];
    };
    return {
      clientVersion: clientVersionOf(version),
      clientSemver: version,
      chainId: ledger.network.chainId,
      instanceId: data(testChain.instanceId),
      latestBlockNumber: number,
      latestBlockHash: data(blockHashOf(id)),
      snapshots: Object.fromEntries(
        testChain.snapshots.map((snapshot) => [quantity(snapshot.id), placeOf(snapshot.block)]),
      ),
    };
  },
});
