import { constantShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { peerNames } from '../../peer-names.ts';

export const loadState = defineMethod({
  ...peerNames('loadState'),
  summary: 'Puts the chain of a dump in the place of the present one, whole or, after an error, not at all.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'state', schema: dataSchema, summary: 'What `anvil_dumpState` answered, here or elsewhere.' },
  ],
  result: constantShape(true),
  errors: [ERRORS.otherChain, ERRORS.dumpTooLarge, ERRORS.dumping, ERRORS.writesPaused],
  differences:
    'The present chain is gone then, with its snapshots and what waits. The chain has to have begun as this one did, ' +
    'but for the time.',
  handler: async ({ dumps }, [state]) => {
    await dumps.load(state);
    return true as const;
  },
});
