import type { BlockSummary } from '../../../ledger/index.ts';
import { encode, type Hexadecimal, signedBlockHeaderCodec, toPrefixedHex } from '../../../protocol/index.ts';
import { shape } from '../../../view/index.ts';
import { listPieces, revertCheck } from '../../blocks/block-steps.ts';
import { NO_ADVICE } from '../../blocks/receipts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { TextSteps } from '../../json/text-steps.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { blockOf, budgetOf, withinLimits } from '../../tracing/traceable.ts';

const getRawBlock = defineMethod({
  name: 'debug_getRawBlock',
  summary: 'Returns the bytes of a block.',
  section: 'traces',
  scheduling: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: shape.data,
  errors: [ERRORS.blockNotFound, ERRORS.traceTooLarge],
  differences: 'The native block, transactions included.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const { number, size } = blockOf(ledger, reference);
    withinLimits(() => budgetOf(context).take(2 * size));
    return toPrefixedHex(ledger.blocks.serializedBlock(number) ?? new Uint8Array(0));
  },
});

const getRawHeader = defineMethod({
  name: 'debug_getRawHeader',
  summary: 'Returns the bytes of the header of a block.',
  section: 'traces',
  scheduling: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: shape.data,
  errors: [ERRORS.blockNotFound],
  differences: 'The native header with its signature.',
  handler: ({ ledger }, [reference]) =>
    toPrefixedHex(encode(signedBlockHeaderCodec, blockOf(ledger, reference).header)),
});

const getRawReceipts = defineMethod({
  name: 'debug_getRawReceipts',
  summary: 'Returns the bytes of the receipts of a block.',
  section: 'traces',
  scheduling: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: shape.array(shape.data),
  errors: [ERRORS.blockNotFound, ERRORS.traceTooLarge],
  differences: 'Receipts as the ledger stores them and the block hash covers them.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const block = blockOf(ledger, reference);
    return new ResponseBody<Hexadecimal[]>(
      new TextSteps(listPieces(storedReceipts(context, block)), NO_ADVICE),
    );
  },
});

function* storedReceipts(context: QueryContext, block: BlockSummary): Generator<string[]> {
  const { ledger } = context;
  const budget = budgetOf(context);
  const check = revertCheck(ledger, block);
  for (let index = 0; index < block.operationCount; index += 1) {
    const bytes = ledger.blocks.storedReceipt(block.number, index) ?? new Uint8Array(0);
    withinLimits(() => budget.take(2 * bytes.length));
    yield [`"${toPrefixedHex(bytes)}"`];
    check();
  }
}

/** The methods that give the bytes of blocks. */
export const RAW_BLOCK_METHODS: readonly MethodDefinition[] = [getRawBlock, getRawHeader, getRawReceipts];
