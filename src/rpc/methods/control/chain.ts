import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { constantShape, data, dataShape, nullShape } from '../../../view/index.ts';
import { UnfitDumpError } from '../../context/node-parts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineControlMethod, type MethodDefinition, peerNames } from '../../method.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/quantity.ts';
import { optional, placed, refusal, type Schema } from '../../parameters/schema.ts';
import { membersOf } from '../../parameters/structures.ts';
import { requireDepth } from '../../test-control/depth.ts';
import { nullAfter } from '../../test-control/mining-order.ts';

const rollback = defineControlMethod({
  ...peerNames('rollback'),
  summary: 'Takes the newest blocks back; snapshots of them are gone then.',
  parameters: [
    {
      name: 'depth',
      schema: placed(optional(boundedQuantity(BLOCK_NUMBER_MAX, 'blocks', controlQuantitySchema), 1)),
      summary: 'How many blocks; 1 when absent.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.blockNotKept, ERRORS.writesPaused],
  differences: 'Their transactions do not wait again; what waits, and the clock, stay as they are.',
  example: { parameters: ['0x2'], result: null },
  handler: ({ testChain, ledger }, [depth]) => {
    requireDepth(depth, ledger);
    return nullAfter(testChain.rollBack(depth.value));
  },
});

/** Whether another chain is to be forked: clients name none, with null, where they only want to begin anew. */
const resetSchema: Schema<boolean> = {
  describe: () => ({ type: 'object', additionalProperties: true, title: 'object' }),
  read: (value, place) => {
    const members = membersOf(value, place);
    const forking = membersOf(members.forking ?? {}, { within: place, key: 'forking' });
    return [members, forking].some(
      ({ jsonRpcUrl, blockNumber }) => (jsonRpcUrl ?? blockNumber ?? null) !== null,
    );
  },
};

const reset = defineControlMethod({
  ...peerNames('reset'),
  summary:
    'Takes the chain back to its genesis, and the clock and the production of blocks to what the node began with; ' +
    'nothing waits then, and snapshots are gone.',
  parameters: [
    {
      name: 'options',
      schema: optional(resetSchema, false),
      summary: 'Empty, since there is nothing to fork.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.noFork, ERRORS.blockNotKept, ERRORS.writesPaused],
  differences: 'Another chain is not forked: `forking` and `jsonRpcUrl` are refused.',
  example: { parameters: [], result: null },
  handler: ({ testChain }, [isFork]) => {
    if (isFork) throw new RequestFailedError(ERRORS.noFork.message);
    return nullAfter(testChain.reset());
  },
});

const dumpState = defineControlMethod({
  ...peerNames('dumpState'),
  summary: 'Answers the whole chain as a compressed archive, which `anvil_loadState` takes.',
  work: 'turn',
  parameters: [
    {
      name: 'preserveHistorical',
      schema: optional(flagSchema),
      summary: 'Without effect: all blocks are in it.',
    },
  ],
  result: dataShape,
  errors: [ERRORS.dumpTooLarge, ERRORS.dumping],
  differences:
    'It holds the genesis, the blocks and what was changed between them, all of it checked when it is loaded, and ' +
    'how far the clock is ahead; nothing that waits.',
  handler: async ({ dumps }) => data(await dumps.dump()),
});

const loadState = defineControlMethod({
  ...peerNames('loadState'),
  summary: 'Puts the chain of a dump in the place of the present one, whole or, after an error, not at all.',
  parameters: [
    {
      name: 'state',
      schema: placed(dataSchema),
      summary: 'What `anvil_dumpState` answered, here or elsewhere.',
    },
  ],
  result: constantShape(true),
  errors: [
    ERRORS.notTestChain,
    ERRORS.otherProducer,
    ERRORS.dumpTooLarge,
    ERRORS.dumping,
    ERRORS.writesPaused,
  ],
  differences:
    'The present chain is gone then, with its snapshots and what waits. The chain may have begun in another way than ' +
    'this one, with another network, hard fork or accounts, but with the same seed: the node has to hold the key of ' +
    'its producer.',
  handler: async ({ dumps }, [{ value: state, place }], { account }) => {
    const held = account?.beginWork();
    try {
      await dumps.load(state, (bytes) => held?.hold(bytes));
    } catch (error) {
      throw error instanceof UnfitDumpError ? refusal(place, error.message, error) : error;
    } finally {
      held?.hold(0);
    }
    return true as const;
  },
});

/** The methods that take the chain back, or put another one in its place. */
export const CHAIN_METHODS: readonly MethodDefinition[] = [rollback, reset, dumpState, loadState];
