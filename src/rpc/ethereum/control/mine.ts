import { MINED_BLOCKS_MAX } from '../../../limits.ts';
import { constantShape, nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { FORCED_PARAMETERS } from '../../methods/mining/mine.ts';
import {
  boundedCount,
  MINING_ORDER_PARAMETER,
  minedInOrder,
  nullAfter,
} from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

const MINED = '0x0';

export const mineAt = defineMethod({
  name: 'evm_mine',
  summary: 'Forces one block or several, whether or not blocks are being generated.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [MINING_ORDER_PARAMETER],
  result: constantShape(MINED),
  errors: [ERRORS.noProducerKey, ERRORS.tooManyBlocks],
  differences: 'Time goes on from a time stamp that lies ahead; one before the latest block is refused.',
  example: { parameters: [], result: MINED },
  handler: (context, [order]) => {
    const done = minedInOrder(context, order);
    return done instanceof Promise ? done.then(() => MINED) : MINED;
  },
});

export const mine = defineMethod({
  ...peerNames('mine'),
  summary: 'Forces a number of blocks, whether or not blocks are being generated.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: FORCED_PARAMETERS,
  result: nullShape,
  errors: [ERRORS.noProducerKey, ERRORS.clockOutOfRange, ERRORS.tooManyBlocks],
  differences: 'The interval comes before each block, the first one as well.',
  example: { parameters: ['0x3'], result: null },
  handler: ({ control }, [count, interval]) =>
    nullAfter(control.mine({ count: boundedCount(count, MINED_BLOCKS_MAX), lead: interval, step: interval })),
});
