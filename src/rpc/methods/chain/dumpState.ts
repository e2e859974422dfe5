import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { optional } from '../../parameters/schema.ts';
import { peerNames } from '../../test-control/peer-names.ts';

export const dumpState = defineMethod({
  ...peerNames('dumpState'),
  summary: 'Answers the whole chain as a compressed archive, which `anvil_loadState` takes.',
  section: 'control',
  work: 'turn',
  chains: 'test',
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
