import type { Ledger } from '../../../ledger/index.ts';
import { MINED_BLOCKS_ANSWERED_MAX } from '../../../limits.ts';
import { invariant } from '../../../protocol/index.ts';
import {
  arrayShape,
  type DetailedBlockObject,
  detailedBlockShape,
  revertMessage,
  toDetailedBlock,
} from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { boundedCount, checkedBlockTime, MINING_ORDER_PARAMETER } from '../../test-control/mining-order.ts';
import { peerNames } from '../../test-control/peer-names.ts';

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
  handler: ({ control, ledger }, [{ timestamp, blocks }]) => {
    const count = boundedCount(blocks, MINED_BLOCKS_ANSWERED_MAX);
    let next = timestamp === undefined ? undefined : checkedBlockTime(timestamp, ledger);
    return Array.from({ length: count }, () => {
      control.mine({ count: 1, timestamp: next });
      next = undefined;
      return newestBlock(ledger);
    });
  },
});

function newestBlock(ledger: Ledger): DetailedBlockObject {
  const head = ledger.head();
  return toDetailedBlock(head, ledger.blockTransactions(head.number), (operation) => {
    const receipt = ledger.receiptOutlineOf(head.number, operation.index);
    invariant(receipt !== undefined, 'an operation of a block has a receipt');
    const { status, output } = receipt;
    return { output, revertReason: status === 'failure' ? revertMessage(output) : null };
  });
}
