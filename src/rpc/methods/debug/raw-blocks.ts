import { shape } from '../../../formatters/index.ts';
import type { BlockSummary, LedgerQueries } from '../../../ledger/index.ts';
import { encode, type Hexadecimal, signedBlockHeaderCodec, toPrefixedHex } from '../../../protocol/index.ts';
import { listPieces, revertCheck } from '../../blocks/block-operations.ts';
import { NO_ADVICE } from '../../blocks/receipts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofBlock } from '../../fork/history-rules.ts';
import { writtenInPieces } from '../../json/text-in-pieces.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { type BlockReference, blockReferenceSchema } from '../../parameters/block.ts';
import { RequestFailedError } from '../../rpc-errors.ts';
import { blockOf, budgetOf, withinLimits } from '../../tracing/traceable.ts';

/** Returns the block of a reference. @throws RequestFailedError for an unknown block, and for the pending one */
function signedBlockOf(ledger: LedgerQueries, reference: BlockReference): BlockSummary {
  const block = blockOf(ledger, reference);
  if (block.isPending !== true) return block;
  throw new RequestFailedError(ERRORS.pendingUnsigned.message);
}

const getRawBlock = defineMethod({
  name: 'debug_getRawBlock',
  summary: 'Returns the bytes of a block.',
  section: 'traces',
  scheduling: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  beforeFork: ofBlock(0),
  result: shape.data,
  errors: [ERRORS.blockNotFound, ERRORS.pendingUnsigned, ERRORS.traceTooLarge],
  differences: 'The native block, transactions included.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const { number, size } = signedBlockOf(ledger, reference);
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
  beforeFork: ofBlock(0),
  result: shape.data,
  errors: [ERRORS.blockNotFound, ERRORS.pendingUnsigned],
  differences: 'The native header with its signature.',
  handler: ({ ledger }, [reference]) =>
    toPrefixedHex(encode(signedBlockHeaderCodec, signedBlockOf(ledger, reference).header)),
});

const getRawReceipts = defineMethod({
  name: 'debug_getRawReceipts',
  summary: 'Returns the bytes of the receipts of a block.',
  section: 'traces',
  scheduling: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  beforeFork: ofBlock(0),
  result: shape.array(shape.data),
  errors: [ERRORS.blockNotFound, ERRORS.traceTooLarge],
  differences: 'Receipts as the ledger stores them and the block hash covers them.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const block = blockOf(ledger, reference);
    return writtenInPieces<Hexadecimal[]>(listPieces(storedReceipts(context, block)), NO_ADVICE);
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
