import { blockHashOf } from '../../protocol/index.ts';
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
  type ValueOf,
} from '../../view/index.ts';
import type { TestChainContext } from '../method-context.ts';

/** What a test node says of itself and of its run. */
export const metadataShape = namedShape(
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

/**
 * Says which run of which node this is.
 *
 * @param clientVersion what the node calls itself
 * @param firstSnapshot number of the snapshot whose id is 0
 */
export function metadataOf(
  { testChain, ledger, version }: TestChainContext,
  clientVersion: string,
  firstSnapshot = 0,
): ValueOf<typeof metadataShape> {
  const { number, id } = ledger.head();
  const placeOf = (block: number): (number | Hexadecimal)[] => {
    const found = ledger.blockByNumber(block);
    return found === undefined ? [block] : [block, data(blockHashOf(found.id))];
  };
  return {
    clientVersion,
    clientSemver: version,
    chainId: ledger.network.chainId,
    instanceId: data(testChain.instanceId),
    latestBlockNumber: number,
    latestBlockHash: data(blockHashOf(id)),
    snapshots: Object.fromEntries(
      testChain.snapshots.map((snapshot) => [quantity(snapshot.id - firstSnapshot), placeOf(snapshot.block)]),
    ),
  };
}
