import { constantShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { MINING_ORDER_PARAMETER, minedInOrder } from '../../mining-order.ts';

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
