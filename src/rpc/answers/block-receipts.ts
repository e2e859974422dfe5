import type { IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { BLOCK_RECEIPTS_CHARACTERS_MAX } from '../../limits.ts';
import { LimitError } from '../envelope/errors.ts';
import { JsonText } from '../json/json-text.ts';

/**
 * The receipts of a block as a JSON array.
 *
 * @param receiptOf the receipt of one of its operations; null where there is none
 * @throws LimitError where the text would be too long for one response
 */
export function receiptsText<Receipt>(
  ledger: LedgerQueries,
  block: number,
  receiptOf: (operation: IncludedOperation) => JsonText<Receipt> | null,
): JsonText<Receipt[]> {
  const texts: string[] = [];
  let characters = 0;
  for (const operation of ledger.blockTransactions(block)) {
    const receipt = receiptOf(operation);
    if (receipt === null) continue;
    characters += receipt.text.length;
    if (characters > BLOCK_RECEIPTS_CHARACTERS_MAX) {
      throw new LimitError(
        `the receipts of block ${block} have more than ${BLOCK_RECEIPTS_CHARACTERS_MAX} characters, ` +
          'the limit of one answer: ask for them one by one',
      );
    }
    texts.push(receipt.text);
  }
  return new JsonText<Receipt[]>(`[${texts.join(',')}]`);
}
