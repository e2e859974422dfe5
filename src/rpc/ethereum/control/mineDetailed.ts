import { MINED_BLOCKS_ANSWERED_MAX } from '../../../limits.ts';
import { arrayShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedCount, checkedBlockTime, MINING_ORDER_PARAMETER } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';
import { detailedBlockOf, detailedBlockShape } from './detailed-block.ts';

export const mineDetailed = defineMethod({
  ...peerNames('mine_detailed', 'evm_mine_detailed'),
  summary: 'Forces one block or several, and answers them with their transactions and what came of each.',
  section: 'control',
  work: 'send',
  chains: 'test',
  parameters: [MINING_ORDER_PARAMETER],
  result: arrayShape(detailedBlockShape),
  errors: [ERRORS.noProducerKey, ERRORS.tooManyBlocks],
  differences: 'The output of a transaction is its revert data; the ledger keeps no other.',
  handler: (context, [{ timestamp, blocks }]) => {
    const { control, ledger } = context;
    const count = boundedCount(blocks, MINED_BLOCKS_ANSWERED_MAX);
    let next = timestamp === undefined ? undefined : checkedBlockTime(timestamp, ledger);
    return Array.from({ length: count }, () => {
      control.mine({ count: 1, timestamp: next });
      next = undefined;
      return detailedBlockOf(context, ledger.head());
    });
  },
});
