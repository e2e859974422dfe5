import { TIMESTAMP_MAX } from '../../../consensus.ts';
import { integerShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/quantity.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const { name, aliases } = peerNames('increaseTime');

export const increaseTime = defineMethod({
  name: 'evm_increaseTime',
  aliases: [name, ...aliases],
  summary: 'Moves the time of the next blocks forward and answers the total adjustment in seconds.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'seconds', schema: boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema) }],
  result: integerShape,
  errors: [ERRORS.clockOutOfRange],
  example: { parameters: [3600], result: 3600 },
  handler: ({ control }, [seconds]) => Math.max(0, control.increaseTime(seconds)),
});
