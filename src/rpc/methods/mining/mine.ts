import { TIMESTAMP_MAX } from '../../../consensus.ts';
import { MINED_BLOCKS_MAX } from '../../../limits.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedQuantity, controlQuantitySchema } from '../../parameters/quantity.ts';
import { optional } from '../../parameters/schema.ts';
import { boundedCount, nullAfter } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

/** Which blocks are forced. */
export const FORCED_PARAMETERS = [
  { name: 'count', schema: optional(controlQuantitySchema, 1n), summary: 'How many; 1 where it is absent.' },
  {
    name: 'interval',
    schema: optional(boundedQuantity(TIMESTAMP_MAX, 'seconds', controlQuantitySchema), 0),
    summary: 'Seconds from each of them to the next; 0, or absent: each has the time that the clock says.',
  },
] as const;

export const mine = defineMethod({
  ...peerNames('mine'),
  summary: 'Forces a number of blocks, whether or not blocks are being generated.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: FORCED_PARAMETERS,
  result: nullShape,
  errors: [ERRORS.noProducerKey, ERRORS.clockOutOfRange, ERRORS.tooManyBlocks],
  differences: 'The first block does not wait for the interval, as with Hardhat; anvil puts it before each.',
  example: { parameters: ['0x3'], result: null },
  handler: ({ control }, [count, interval]) =>
    nullAfter(control.mine({ count: boundedCount(count, MINED_BLOCKS_MAX), step: interval })),
});
