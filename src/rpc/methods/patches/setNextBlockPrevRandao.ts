import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { slotSchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const { name, aliases } = peerNames('setNextBlockPrevRandao');
const { name: shorter, aliases: others } = peerNames('setPrevRandao');

export const setNextBlockPrevRandao = defineMethod({
  name,
  aliases: [...aliases, shorter, ...others],
  summary: 'Sets what PREVRANDAO gives in the next block, and in no other.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'prevRandao',
      schema: slotSchema,
      summary: 'What is shorter than 32 bytes is filled up on the left.',
    },
  ],
  result: nullShape,
  errors: [ERRORS.tooManyPatches, ERRORS.writesPaused],
  differences:
    'It is the `rand` of the next block, and its `mixHash`. Later blocks have what follows from the signatures ' +
    'again; Hardhat begins with it instead.',
  example: {
    parameters: ['0x000000000000000000000000000000000000000000000000000000000000002a'],
    result: null,
  },
  handler: ({ ledger }, [rand]) => {
    ledger.patch(() => ({ type: 'rand', rand }));
    return null;
  },
});
