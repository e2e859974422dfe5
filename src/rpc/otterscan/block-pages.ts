import type { BlockSummary } from '../../ledger/index.ts';
import {
  arrayShape,
  namedShape,
  objectShape,
  quantity,
  quantityShape,
  type Shape,
} from '../../view/index.ts';
import type { QueryContext } from '../context/method-context.ts';
import type { ProfileObjects } from './profile-objects.ts';

/** Digits of `0x` and a selector. */
const SELECTOR_CHARACTERS = 10;

/** An object of the profile, with changes that its schema would not allow. */
const changedShape = (title: string, description: string): Shape<unknown> => ({
  describe: () => ({ type: 'object', title, description }),
});

const headerShape = changedShape(
  'block object of the profile',
  'Without transactions, but for `getBlockTransactions`; `transactionCount` is a number, `logsBloom` null.',
);

/** A block with what it has paid out. */
export const blockDetailsShape = namedShape(
  'BlockDetails',
  { title: 'block with what it has paid out' },
  objectShape({
    block: headerShape,
    issuance: objectShape({
      blockReward: quantityShape,
      uncleReward: quantityShape,
      issuance: quantityShape,
    }),
    totalFees: quantityShape,
  }),
);

/** A page of the transactions of a block. */
export const blockPageShape = namedShape(
  'BlockPage',
  { title: 'transactions of a block' },
  objectShape({
    fullblock: headerShape,
    receipts: arrayShape(changedShape('receipt object of the profile', '`logs` and `logsBloom` are null.')),
  }),
);

/** What of a block is shown beside its transactions. */
function headerOf(context: QueryContext, objects: ProfileObjects, block: BlockSummary) {
  return {
    ...objects.headerOf(context, block),
    logsBloom: null,
    transactionCount: block.operationCount,
    transactions: [] as unknown[],
  };
}

/** A block and its fees; nothing is issued here. */
export function blockDetails(context: QueryContext, objects: ProfileObjects, block: BlockSummary) {
  const nothing = quantity(0);
  return {
    block: headerOf(context, objects, block),
    issuance: { blockReward: nothing, uncleReward: nothing, issuance: nothing },
    totalFees: quantity(block.feesCollected * objects.perUnit(context)),
  };
}

/** Transactions of a block from its end on, in the order of the block: page 0 has the last ones. */
export function blockPage(
  context: QueryContext,
  objects: ProfileObjects,
  block: BlockSummary,
  page: number,
  size: number,
) {
  const end = Math.max(0, block.operationCount - page * size);
  const transactions: unknown[] = [];
  const receipts: unknown[] = [];
  for (let index = Math.max(0, end - size); index < end; index += 1) {
    const operation = context.ledger.operationAt(block.number, index);
    if (operation === undefined) continue;
    const transaction: { input: string } = JSON.parse(objects.transactionOf(context, operation).text);
    transactions.push({ ...transaction, input: transaction.input.slice(0, SELECTOR_CHARACTERS) });
    const receipt = objects.receiptOf(context, operation);
    if (receipt !== null) receipts.push({ ...JSON.parse(receipt.text), logs: null, logsBloom: null });
  }
  return { fullblock: { ...headerOf(context, objects, block), transactions }, receipts };
}
