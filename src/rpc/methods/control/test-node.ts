import { shape, type ValueOf } from '../../../formatters/index.ts';
import {
  blockHashOf,
  equalBytes,
  type Hexadecimal,
  quantity,
  toPrefixedHex,
  versionedHashOf,
} from '../../../protocol/index.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { hashSchema } from '../../parameters/schema.ts';

const metadataShape = shape.named(
  'TestNodeMetadata',
  { title: 'metadata of a test node' },
  shape.object({
    clientVersion: shape.text,
    clientSemver: shape.text,
    chainId: shape.integer,
    instanceId: shape.hash,
    latestBlockNumber: shape.integer,
    latestBlockHash: shape.hash,
    forkedNetwork: shape.optional(
      shape.object({
        chainId: shape.integer,
        forkBlockNumber: shape.integer,
        forkBlockHash: shape.hash,
        source: shape.described(
          shape.nullable(shape.text),
          'URL of the remote node without credentials; null without one.',
        ),
      }),
    ),
    snapshots: shape.described(
      shape.record(shape.array(shape.either(shape.integer, shape.hash))),
      'Number and hash of the block of each snapshot, by its id.',
    ),
  }),
);

/** Describes the node and its run. */
function metadataOf(context: TestChainContext): ValueOf<typeof metadataShape> {
  const { testChain, ledger, version, fork, profile } = context;
  const remote = fork?.chain.remote;
  const { number, id } = ledger.blocks.head();
  const placeOf = (block: number): (number | Hexadecimal)[] => {
    const found = ledger.blocks.blockByNumber(block);
    return found === undefined ? [block] : [block, toPrefixedHex(blockHashOf(found.id))];
  };
  return {
    clientVersion: profile.clientVersion(context),
    clientSemver: version,
    chainId: ledger.parameters.network.chainId,
    instanceId: toPrefixedHex(testChain.instanceId),
    latestBlockNumber: number,
    latestBlockHash: toPrefixedHex(blockHashOf(id)),
    ...(remote !== undefined && {
      forkedNetwork: {
        chainId: Number(remote.chainId),
        forkBlockNumber: remote.number,
        forkBlockHash: toPrefixedHex(remote.hash),
        source: fork?.source ?? null,
      },
    }),
    snapshots: Object.fromEntries(
      testChain.snapshots.map((snapshot) => [
        quantity(snapshot.id - profile.firstSnapshot),
        placeOf(snapshot.block),
      ]),
    ),
  };
}

const setLoggingEnabled = defineControlAction({
  ...peerNames('setLoggingEnabled'),
  summary: 'Switches the log of blocks and of failed calls on or off.',
  parameters: [{ name: 'isOn', schema: flagSchema }],
  example: { parameters: [true], result: null },
  handler: ({ control }, [isOn]) => control.setLogging(isOn),
});

const getBlobByHash = defineControlMethod({
  ...peerNames('getBlobByHash'),
  summary: 'Returns the blob with a versioned hash; null for none.',
  parameters: [{ name: 'hash', schema: hashSchema }],
  result: shape.nullable(shape.data),
  handler: ({ ledger }, [hash]) => {
    for (const { commitments, blobs } of ledger.blobs.all()) {
      const index = commitments.findIndex((commitment) => equalBytes(versionedHashOf(commitment), hash));
      const blob = blobs[index];
      if (blob !== undefined) return toPrefixedHex(blob);
    }
    return null;
  },
});

const getBlobsByTransactionHash = defineControlMethod({
  ...peerNames('getBlobsByTransactionHash'),
  summary: 'Returns the blobs of a pending or included transaction; null for none.',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: shape.nullable(shape.array(shape.data)),
  handler: ({ ledger }, [hash]) => ledger.blobs.find(hash)?.blobs.map(toPrefixedHex) ?? null,
});

const metadata = defineControlMethod({
  ...peerNames('metadata'),
  summary:
    'Returns the version, the head and the instance id of the node. The id changes with each start and reset.',
  scheduling: 'quick',
  result: metadataShape,
  handler: metadataOf,
});

/** The methods about a test node itself. */
export const TEST_NODE_METHODS: readonly MethodDefinition[] = [
  metadata,
  setLoggingEnabled,
  getBlobByHash,
  getBlobsByTransactionHash,
];
