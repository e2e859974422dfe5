import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { shape } from '../../../formatters/index.ts';
import type { BlockSummary, IncludedOperation } from '../../../ledger/index.ts';
import { invariant, quantity } from '../../../protocol/index.ts';
import { listPieces, revertCheck } from '../../blocks/block-operations.ts';
import { blockByReference, blockBySelector } from '../../blocks/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { ofBlock } from '../../fork/history-rules.ts';
import type { ResponseBody } from '../../json/response-body.ts';
import { writtenInPieces } from '../../json/text-in-pieces.ts';
import { defineOtterscanQuery, type MethodDefinition } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { boundedQuantity } from '../../parameters/plain.ts';
import { BLOCK_CHOICES, type BlockChoice } from '../eth/block-choice.ts';
import { LISTED_OPERATIONS_MAX } from '../ledger/operations.ts';
import { eachOperation } from './search.ts';

/** Digits of `0x` and a selector. */
const SELECTOR_CHARACTERS = 10;

const headerShape = shape.anyObject({
  title: 'block object of the profile',
  description:
    'Without transactions, except in `getBlockTransactions`; `transactionCount` is a number, `logsBloom` null.',
});

const blockDetailsShape = shape.named(
  'BlockDetails',
  { title: 'block with its fees' },
  shape.object({
    block: headerShape,
    issuance: shape.object({
      blockReward: shape.quantity,
      uncleReward: shape.quantity,
      issuance: shape.quantity,
    }),
    totalFees: shape.quantity,
  }),
);

const blockPageShape = shape.named(
  'BlockPage',
  { title: 'transactions of a block' },
  shape.object({
    fullblock: headerShape,
    receipts: shape.array(
      shape.anyObject({
        title: 'receipt object of the profile',
        description: '`logs` and `logsBloom` are null.',
      }),
    ),
  }),
);

/** Returns the fields of a block without its transactions. */
function* headerOf(context: QueryContext, block: BlockSummary) {
  const header = yield* context.objects.blockFields(context, block);
  return { ...header, logsBloom: null, transactionCount: block.operationCount, transactions: [] };
}

/** Writes a block and its fees in steps; nothing is issued here. */
function blockDetails(context: QueryContext, block: BlockSummary): ResponseBody {
  const nothing = quantity(0);
  const write = function* (): Generator<string, void> {
    const header = yield* headerOf(context, block);
    yield JSON.stringify({
      block: header,
      issuance: { blockReward: nothing, uncleReward: nothing, issuance: nothing },
      totalFees: quantity(block.feesCollected * context.objects.perUnit(context.ledger)),
    });
  };
  return writtenInPieces(write(), FEWER);
}

/** Writes a page of the transactions of a block in steps: page 0 has the last ones, in the order of the block. */
function blockPage(context: QueryContext, block: BlockSummary, page: number, size: number): ResponseBody {
  const end = Math.max(0, block.operationCount - page * size);
  const first = Math.max(0, end - size);
  const positions = Array.from({ length: end - first }, (_, position) => ({
    block: block.number,
    index: first + position,
  }));
  const write = function* (): Generator<string, void> {
    const header = yield* headerOf(context, block);
    const check = revertCheck(context.ledger, block);
    yield `{"fullblock":${JSON.stringify(header).slice(0, -NO_TRANSACTIONS.length)}`;
    yield* listPieces(
      eachOperation(context, positions, check, (operation) => shortTransaction(context, operation)),
    );
    yield '},"receipts":';
    yield* listPieces(
      eachOperation(context, positions, check, (operation) => shortReceipt(context, operation)),
    );
    yield '}';
  };
  return writtenInPieces(write(), FEWER);
}

const FEWER = 'request fewer transactions';
/** The end of a header object. */
const NO_TRANSACTIONS = '[]}';

function* shortTransaction(context: QueryContext, operation: IncludedOperation): Generator<string, void> {
  const pieces: string[] = [];
  for (const piece of context.objects.transaction(context, operation).pieces()) {
    pieces.push(piece);
    yield '';
  }
  const transaction: { input: string } = JSON.parse(pieces.join(''));
  yield JSON.stringify({ ...transaction, input: transaction.input.slice(0, SELECTOR_CHARACTERS) });
}

function* shortReceipt(context: QueryContext, operation: IncludedOperation): Generator<string, void> {
  const receipt = yield* context.objects.logFreeReceipt(context, operation);
  invariant(receipt !== null, 'every operation of a block has a receipt');
  yield JSON.stringify({ ...receipt, logs: null, logsBloom: null });
}

const getBlockDetails = ({ suffix, noun, parameter }: BlockChoice): MethodDefinition =>
  defineOtterscanQuery({
    name: `ots_getBlockDetails${suffix === 'Hash' ? 'ByHash' : ''}`,
    summary: `Returns a block by its ${noun} without its transactions, and its fees; null for an unknown block.`,
    parameters: [parameter],
    beforeFork: ofBlock(0, (_history, block, _given, otterscan) => otterscan.blockDetails(block)),
    result: shape.nullable(blockDetailsShape),
    differences: 'A block issues nothing: its producer gets the fees.',
    handler: (context, [reference]) => {
      const block = blockByReference(context.ledger, reference);
      return block === undefined ? null : blockDetails(context, block);
    },
  });

const getBlockTransactions = defineOtterscanQuery({
  name: 'ots_getBlockTransactions',
  summary:
    'Returns a page of the transactions of a block with their receipts; page 0 has the last ones; null beyond the ' +
    'head.',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'page', schema: boundedQuantity(BLOCK_NUMBER_MAX, 'as a page') },
    { name: 'size', schema: boundedQuantity(LISTED_OPERATIONS_MAX, 'transactions') },
  ],
  beforeFork: ofBlock(0, (_history, block, [, page, size], otterscan) =>
    otterscan.blockTransactions(block, page, size),
  ),
  result: shape.nullable(blockPageShape),
  errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
  differences: '`input` has at most 4 bytes; receipts have no logs.',
  handler: (context, [selector, page, size]) => {
    const block = blockBySelector(context.ledger, selector);
    return block === undefined ? null : blockPage(context, block, page, size);
  },
});

/** Otterscan's methods about blocks. */
export const OTTERSCAN_BLOCK_METHODS: readonly MethodDefinition[] = [
  ...BLOCK_CHOICES.map(getBlockDetails),
  getBlockTransactions,
];
