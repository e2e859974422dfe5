import { BLOCK_RECEIPTS_CHARACTERS_MAX } from '../../../limits.ts';
import { bytesToHex } from '../../../protocol/index.ts';
import {
  arrayShape,
  nullableShape,
  type ReceiptObject,
  receiptShape,
  toReceipt,
} from '../../../view/index.ts';
import { LimitError } from '../../errors.ts';
import { JsonText } from '../../json/json-text.ts';
import { blockByReference } from '../../lookups.ts';
import { defineMethod } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';

import { blockReferenceSchema } from '../../parameters/block.ts';

export const getBlockReceipts = defineMethod({
  name: 'eth_getBlockReceipts',
  summary:
    'Answers the receipts of all transactions of a block, in their order; null when there is no block.',
  section: 'blocks',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: nullableShape(arrayShape(receiptShape)),
  differences: '`pending` is the latest block.',
  handler: (context, [reference]) => {
    const block = blockByReference(context.ledger, reference);
    return block === undefined ? null : receiptsText(context, block.number);
  },
});

/** @throws LimitError where the text would be too long for one response */
function receiptsText({ ledger, included }: QueryContext, number: number): JsonText<ReceiptObject[]> {
  const texts: string[] = [];
  let characters = 0;
  for (const operation of ledger.blockTransactions(number)) {
    const receipt = ledger.receiptOf(number, operation.index);
    if (receipt === undefined) continue;
    const { text } = included.receipts.of(bytesToHex(operation.hash), () => toReceipt(operation, receipt));
    characters += text.length;
    if (characters > BLOCK_RECEIPTS_CHARACTERS_MAX) {
      throw new LimitError(
        `the receipts of block ${number} have more than ${BLOCK_RECEIPTS_CHARACTERS_MAX} characters, ` +
          'the limit of one answer: ask for them one by one',
      );
    }
    texts.push(text);
  }
  return new JsonText<ReceiptObject[]>(`[${texts.join(',')}]`);
}
