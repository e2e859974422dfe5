import { constantShape } from '../../../view/index.ts';
import { UnfitDumpError } from '../../context/node-parts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { placed, refusal } from '../../parameters/schema.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const loadState = defineMethod({
  ...peerNames('loadState'),
  summary: 'Puts the chain of a dump in the place of the present one, whole or, after an error, not at all.',
  section: 'control',
  work: 'send',
  chains: 'test',
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
