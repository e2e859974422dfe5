import type { BlockSummary } from '../../../ledger/index.ts';
import { arrayShape, data, dataShape, type Hexadecimal } from '../../../view/index.ts';
import { NO_ADVICE } from '../../answers/receipt-steps.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { TextSteps } from '../../json/text-steps.ts';
import { defineMethod } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { listPieces, readingOf } from '../../response-cache/block-steps.ts';
import { blockOf, budgetOf, withinLimits } from '../../tracing/traceable.ts';

export const getRawReceipts = defineMethod({
  name: 'debug_getRawReceipts',
  summary: 'Answers the bytes of the receipts of a block.',
  section: 'traces',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: arrayShape(dataShape),
  errors: [ERRORS.blockNotFound, ERRORS.traceTooLarge],
  differences: 'Receipts as the ledger stores them, over which the block has a hash.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const block = blockOf(ledger, reference);
    return new ResponseBody<Hexadecimal[]>(
      new TextSteps(listPieces(storedReceipts(context, block)), { advice: NO_ADVICE }),
    );
  },
});

function* storedReceipts(context: QueryContext, block: BlockSummary): Generator<string[]> {
  const { ledger } = context;
  const budget = budgetOf(context);
  const check = readingOf(ledger, block);
  for (let index = 0; index < block.operationCount; index += 1) {
    const bytes = ledger.storedReceipt(block.number, index) ?? new Uint8Array(0);
    withinLimits(() => budget.take(2 * bytes.length));
    yield [`"${data(bytes)}"`];
    check();
  }
}
