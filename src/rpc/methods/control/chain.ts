import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import { nativeTransactionOf } from '../../../ledger/index.ts';
import type { SignedTransaction } from '../../../protocol/index.ts';
import { toPrefixedHex } from '../../../protocol/index.ts';
import { type ForkChoice, InvalidDumpError } from '../../context/node-dependencies.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineControlAction, defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import type { TestChainContext } from '../../method-context.ts';
import { boundedQuantity, controlQuantitySchema, flagSchema, textSchema } from '../../parameters/plain.ts';
import {
  dataSchema,
  named,
  optional,
  type ParameterPath,
  refusal,
  type Schema,
  type WithPath,
  withPath,
} from '../../parameters/schema.ts';
import { arrayOf, membersOf, objectOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import type { RawTransaction } from '../../transactions/raw-transactions.ts';

/** Blocks that one call reverts and replaces. */
const REORGANIZED_BLOCKS_MAX = 1_000;

/** @throws InvalidParametersError where the chain has not so many blocks that it could lose */
function requireDepth({ value: depth, path }: WithPath<number>, ledger: TestChainContext['ledger']): void {
  const { number } = ledger.blocks.head();
  if (depth <= number) return;
  throw refusal(path, `expected at most ${number}, the number of the latest block, got ${depth}`);
}

const rollback = defineControlAction({
  ...peerNames('rollback'),
  summary: 'Reverts the newest blocks, and deletes their snapshots.',
  parameters: [
    {
      name: 'depth',
      schema: withPath(optional(boundedQuantity(BLOCK_NUMBER_MAX, 'blocks', controlQuantitySchema), 1)),
      summary: 'Number of blocks; absent: 1.',
    },
  ],
  errors: [ERRORS.blockNotKept, ERRORS.writesPaused],
  differences:
    'Their transactions do not become pending again; pending transactions and the clock do not change.',
  example: { parameters: ['0x2'], result: null },
  handler: ({ testChain, ledger }, [depth]) => {
    requireDepth(depth, ledger);
    return testChain.rollBack(depth.value);
  },
});

const blockSchema = boundedQuantity(BLOCK_NUMBER_MAX, 'blocks', controlQuantitySchema);

/** The chain to be forked, in `forking` or beside it: clients that only reset name none, or null. */
const resetSchema: Schema<ForkChoice | undefined> = {
  describe: () => ({ type: 'object', additionalProperties: true, title: 'object' }),
  read: (value, path) => {
    const members = membersOf(value, path);
    const within: ParameterPath = { within: path, key: 'forking' };
    const forking = membersOf(members.forking ?? {}, within);
    const isWithin = (forking.jsonRpcUrl ?? forking.blockNumber ?? null) !== null;
    const { jsonRpcUrl: url = null, blockNumber: block = null } = isWithin ? forking : members;
    const pathOf = (key: string): ParameterPath => ({ within: isWithin ? within : path, key });
    if (url === null && block === null) return undefined;
    return {
      url: url === null ? undefined : textSchema.read(url, pathOf('jsonRpcUrl')),
      block: block === null ? undefined : blockSchema.read(block, pathOf('blockNumber')),
    };
  },
};

const reset = defineControlAction({
  ...peerNames('reset'),
  summary:
    'Reverts the chain to its genesis, on a fork to the block of the fork, and resets the clock and the production ' +
    'of blocks; drops pending transactions and deletes snapshots. With `forking`: replaces the chain by a fork.',
  parameters: [
    {
      name: 'options',
      schema: optional(resetSchema),
      summary:
        'An object with `forking`: an object with `jsonRpcUrl` (absent: the remote node of the present fork) and ' +
        '`blockNumber` (absent: the newest block).',
    },
  ],
  errors: [ERRORS.noFork, ERRORS.remoteNode, ERRORS.blockNotKept, ERRORS.writesPaused],
  differences:
    'After an error nothing has changed. A data folder has the new fork from then on. Headers of the present fork ' +
    'are sent only to a URL of the same origin.',
  example: { parameters: [], result: null },
  handler: ({ testChain, fork }, [choice]) => {
    if (fork !== undefined) return fork.reset(choice);
    if (choice !== undefined) throw new RequestFailedError(ERRORS.noFork.message);
    return testChain.reset();
  },
});

const setRpcUrl = defineControlAction({
  ...peerNames('setRpcUrl'),
  summary: 'Replaces the remote node of a fork by another one, which must have the block of the fork.',
  parameters: [{ name: 'url', schema: textSchema }],
  errors: [ERRORS.noFork, ERRORS.remoteNode],
  handler: ({ fork }, [url]) => {
    if (fork === undefined) throw new RequestFailedError(ERRORS.noFork.message);
    return fork.setRpcUrl(url);
  },
});

/** Returns the method that dumps the chain. @param bytesOf returns the bytes of a dump */
export const dumpMethod = (
  bytesOf: (dumps: TestChainContext['dumps']) => Promise<Uint8Array>,
): MethodDefinition =>
  defineControlMethod({
    ...peerNames('dumpState'),
    summary:
      "Returns the state in anvil's format, compressed, with the whole chain inside for `anvil_loadState` here.",
    scheduling: 'turn',
    parameters: [
      {
        name: 'preserveHistorical',
        schema: optional(flagSchema),
        summary: 'Without effect: the archive contains all blocks.',
      },
    ],
    result: shape.data,
    errors: [ERRORS.dumpTooLarge, ERRORS.dumping, ERRORS.stateOfFork],
    differences: `${DUMP_DIFFERENCES} anvil loads the state and the newest block.`,
    handler: async ({ dumps }) => toPrefixedHex(await bytesOf(dumps)),
  });

export const DUMP_DIFFERENCES =
  'Contains the genesis, the blocks, the state changes between them and the offset of the clock, but no pending ' +
  'transactions. Loading verifies all of it.';

const loadState = defineControlMethod({
  ...peerNames('loadState'),
  summary: 'Replaces the chain by that of a dump; after an error nothing has changed.',
  parameters: [
    {
      name: 'state',
      schema: withPath(dataSchema),
      summary:
        'A result of `anvil_dumpState` of this node, another one or anvil; or the bytes of a file of `--dump-state`.',
    },
  ],
  result: shape.constant(true),
  errors: [
    ERRORS.notTestChain,
    ERRORS.otherProducer,
    ERRORS.dumpTooLarge,
    ERRORS.dumping,
    ERRORS.stateOfFork,
    ERRORS.stateWithoutEthereum,
    ERRORS.writesPaused,
  ],
  differences:
    'Deletes the present chain with its snapshots and pending transactions. The dumped chain may have another ' +
    'network, hard fork or accounts, but must have the same seed, because the node needs the key of its producer. ' +
    'Of a dump of anvil the state and the newest block are loaded, without earlier blocks and transactions; accounts ' +
    'of the genesis that it lacks stay.',
  handler: async ({ dumps }, [{ value: state, path }], { budget }) => {
    const held = budget?.beginJob();
    try {
      await dumps.load(state, (bytes) => held?.hold(bytes));
    } catch (error) {
      throw error instanceof InvalidDumpError ? refusal(path, error.message, error) : error;
    } finally {
      held?.hold(0);
    }
    return true as const;
  },
});

type Decode = (raw: RawTransaction) => SignedTransaction;
type Signer = (context: TestChainContext, index: number) => SignedTransaction;
type Pair = readonly [transaction: Signer, offset: WithPath<number>];

interface Reorganization {
  readonly depth: WithPath<number>;
  readonly pairs: readonly Pair[];
}

const offsetSchema = withPath(boundedQuantity(REORGANIZED_BLOCKS_MAX - 1, 'blocks'));
const depthSchema = withPath(boundedQuantity(REORGANIZED_BLOCKS_MAX, 'blocks'));

/** A transaction, signed or to be signed once the blocks before its block exist, and the offset of its block. */
function pairSchema({ sending: { transaction } }: Profile, decode: Decode): Schema<Pair> {
  const signerOf = (value: unknown, path: ParameterPath): Signer => {
    if (typeof value === 'string') {
      const signed = decode({ value: dataSchema.read(value, path), path });
      return () => signed;
    }
    const outgoing = transaction.read(value, path);
    return (context, index) => outgoing.signForBlock(context, index);
  };
  return {
    describe: (components) => ({
      type: 'array',
      prefixItems: [
        { anyOf: [dataSchema.describe(components), transaction.describe(components)] },
        offsetSchema.describe(components),
      ],
      minItems: 2,
      maxItems: 2,
    }),
    read: (value, path) => {
      if (!Array.isArray(value) || value.length !== 2) {
        throw refusal(path, 'expected a transaction and the offset of its block: [transaction, offset]');
      }
      const first = { within: path, key: 0 } as const;
      const second = { within: path, key: 1 } as const;
      const signer = signerOf(value[0], first);
      return [signer, offsetSchema.read(value[1], second)];
    },
  };
}

/** Returns the method that replaces blocks. @param decode decodes a signed transaction for one of them */
export function reorganizationMethod(profile: Profile, decode: Decode): MethodDefinition {
  const pairsSchema = arrayOf(pairSchema(profile, decode));
  const optionsSchema = named(
    'ReorganizationOptions',
    { title: 'depth and transactions' },
    objectOf({ depth: depthSchema, tx_block_pairs: optional(pairsSchema, []) }),
  );

  const reorganizationSchema: Schema<Reorganization> = {
    describe: (components) => ({
      anyOf: [optionsSchema.describe(components), depthSchema.describe(components)],
      title: 'depth, or ReorganizationOptions',
    }),
    read: (value, path) => {
      if (typeof value !== 'object') return { depth: depthSchema.read(value, path), pairs: [] };
      const { depth, tx_block_pairs: pairs } = optionsSchema.read(value, path);
      return { depth, pairs };
    },
  };
  return defineControlAction({
    ...peerNames('reorg'),
    summary:
      'Reverts the newest blocks, and produces the same number of other blocks with the given transactions.',
    parameters: [
      {
        name: 'depth',
        schema: reorganizationSchema,
        summary: 'Number of blocks; or an object with `depth` and `tx_block_pairs`.',
      },
      {
        name: 'pairs',
        schema: optional(pairsSchema, []),
        summary:
          'Pairs of a transaction, signed or of an account of the wallet, and the offset of its block, from 0.',
      },
    ],
    errors: [ERRORS.blockNotKept, ERRORS.transactionRefused, ERRORS.unknownAccount, ERRORS.accountLocked],
    differences:
      'Transactions of the reverted blocks are lost; pending transactions stay pending. If a transaction is refused, ' +
      'the call returns an error, but the blocks are produced.',
    example: { parameters: ['0x1', []], result: null },
    handler: (context, [{ depth, pairs: own }, further]) => {
      const { ledger, testChain } = context;
      requireDepth(depth, ledger);
      const pairs = [...own, ...further];
      for (const [, offset] of pairs) requireOffset(offset, depth.value);
      return testChain.reorganize(depth.value, (offset) =>
        pairs
          .filter((pair) => pair[1].value === offset)
          .map(
            ([signer], index) =>
              () =>
                signer(context, index),
          ),
      );
    },
  });
}

function requireOffset({ value: offset, path }: WithPath<number>, depth: number): void {
  if (offset < depth) return;
  throw refusal(path, `expected an offset below ${depth}, the number of new blocks, got ${offset}`);
}

/** Returns the methods that take the chain back, or replace it. */
export function chainMethods(profile: Profile): readonly MethodDefinition[] {
  return [
    rollback,
    reset,
    setRpcUrl,
    dumpMethod(async (dumps) => promisify(gzip)(await dumps.dumpState())),
    loadState,
    reorganizationMethod(profile, ({ value }) => nativeTransactionOf(value)),
  ];
}
