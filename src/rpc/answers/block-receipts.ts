import type { BlockSummary, IncludedOperation } from '../../ledger/index.ts';
import { ResponseBody } from '../json/response-body.ts';
import { TextSteps } from '../json/text-steps.ts';
import type { QueryContext } from '../method-context.ts';
import { listPieces, operationsIn } from '../response-cache/block-steps.ts';
import { ListedLogs, receiptTexts } from './receipt-steps.ts';

const ADVICE = 'ask for the receipts of the block one by one';

/**
 * The receipts of a block as a JSON array, written in steps. These throw LimitError where one answer would have too
 * many logs or characters, and RequestFailedError where the block is reverted meanwhile.
 *
 * @param receiptOf the receipt of one of its operations; null where there is none
 */
export function receiptsText<Receipt>(
  context: QueryContext,
  block: BlockSummary,
  receiptOf: (operation: IncludedOperation) => ResponseBody<Receipt> | null,
): ResponseBody<Receipt[]> {
  const operations = operationsIn(context.ledger, block);
  const texts = receiptTexts(operations, new ListedLogs(context, ADVICE), receiptOf);
  return new ResponseBody<Receipt[]>(new TextSteps(listPieces(texts), { advice: ADVICE }));
}
