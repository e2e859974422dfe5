import { MINED_BLOCKS_MAX } from '../../../limits.ts';
import { nullShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedCount, checkedBlockTime, MINING_ORDER_PARAMETER, nullAfter } from '../../mining-order.ts';

export const mineAt = defineMethod({
  name: 'evm_mine',
  summary: 'Forces one block or several, whether or not blocks are being generated.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [MINING_ORDER_PARAMETER],
  result: nullShape,
  errors: [ERRORS.noProducerKey, ERRORS.tooManyBlocks],
  differences: 'Time goes on from a time stamp that lies ahead; one before the latest block is refused.',
  example: { parameters: [], result: null },
  handler: ({ control, ledger }, [{ timestamp, blocks }]) => {
    const count = boundedCount(blocks, MINED_BLOCKS_MAX);
    if (timestamp === undefined) return nullAfter(control.mine({ count }));
    const time = checkedBlockTime(timestamp, 'parameter 1 (timestamp)', ledger);
    return nullAfter(control.mine({ count, timestamp: time }));
  },
});
