import { TIMESTAMP_MAX } from '../../../consensus.ts';
import { quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const { name, aliases } = peerNames('increaseTime');

export const increaseTime = defineMethod({
  name: 'evm_increaseTime',
  aliases: [name, ...aliases],
  summary: 'Moves the time of the next blocks forward and answers the total adjustment in seconds.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    {
      name: 'seconds',
      schema: boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema),
      summary: 'How far to move, forward only.',
    },
  ],
  result: quantityShape,
  errors: [ERRORS.clockOutOfRange],
  differences:
    "Answers the total of all adjustments as a QUANTITY, which is 0 while time is behind the machine's.",
  example: { parameters: [3600], result: '0xe10' },
  handler: ({ control }, [seconds]) => quantity(Math.max(0, control.increaseTime(seconds))),
});
