import { shape } from '../../../formatters/index.ts';
import type { LedgerQueries } from '../../../ledger/index.ts';
import { quantity } from '../../../protocol/index.ts';
import { blockByHash, blockByReference, blockBySelector } from '../../blocks/find-block.ts';
import { receiptsText } from '../../blocks/receipts.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { remoteCount, remoteHeader, remoteReceipts } from '../../fork/block-parts.ts';
import { ofBlock } from '../../fork/history-rules.ts';
import { defineBlockQuery, defineStateQuery, type MethodDefinition } from '../../method.ts';
import { type BlockSelector, blockReferenceSchema, blockSelectorSchema } from '../../parameters/block.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { hashSchema, optional, type Schema } from '../../parameters/schema.ts';
import { SHAPES } from '../../profiles/ethereum-objects.ts';
import type { ProfileReceipt } from '../../response-cache/response-cache.ts';
import { BLOCK_CHOICES, type BlockChoice, numberOf } from './block-choice.ts';

/** Returns a method that shows a block. @param fullTransactions schema of its flag for transaction objects */
export const blockMethod = (
  { suffix, noun, parameter, differences }: BlockChoice,
  fullTransactions: Schema<boolean>,
): MethodDefinition =>
  defineBlockQuery({
    name: `eth_getBlockBy${suffix}`,
    summary: `Returns a block by its ${noun}, with transaction objects or their hashes; null for an unknown block.`,
    parameters: [
      parameter,
      {
        name: 'fullTransactions',
        schema: fullTransactions,
        summary: 'True for transaction objects, false for their hashes.',
      },
    ],
    beforeFork: ofBlock(0, (history, block, [, full]) => history.block(block, full)),
    result: shape.nullable(SHAPES.block),
    errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
    differences,
    handler: (context, [block, full]) =>
      context.objects.block(context, numberOf(context.ledger, block), full),
  });

const getHeader = ({ suffix, noun, parameter }: BlockChoice): MethodDefinition =>
  defineBlockQuery({
    name: `eth_getHeaderBy${suffix}`,
    // The name that Erigon gives it.
    aliases: suffix === 'Number' ? ['erigon_getHeaderByNumber'] : [],
    summary: `Returns the header of a block by its ${noun}; null for an unknown block.`,
    parameters: [parameter],
    beforeFork: ofBlock(0, remoteHeader),
    result: shape.nullable(SHAPES.header),
    differences: 'The fields of a block object without its transactions; a native header has others.',
    handler: (context, [reference]) => {
      const block = blockByReference(context.ledger, reference);
      return block === undefined ? null : context.objects.header(context, block);
    },
  });

const getBlockReceipts = defineBlockQuery({
  name: 'eth_getBlockReceipts',
  summary: 'Returns the receipts of all transactions of a block, in their order; null for an unknown block.',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  beforeFork: ofBlock(0, remoteReceipts),
  result: shape.nullable(shape.array(SHAPES.receipt)),
  errors: [ERRORS.tooManyListedLogs, ERRORS.answerTooLong, ERRORS.blockReverted],
  handler: (context, [reference]) => {
    const block = blockByReference(context.ledger, reference);
    if (block === undefined) return null;
    return receiptsText<ProfileReceipt>(context, block, (operation) =>
      context.objects.receipt(context, operation),
    );
  },
});

const getBlockTransactionCountByHash = defineStateQuery({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Counts the operations of a block; null for an unknown block.',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  beforeFork: ofBlock(0, (history, block) => remoteCount(history, block, 'transactions')),
  result: shape.nullable(shape.quantity),
  differences: 'One operation of a native transaction counts as one transaction.',
  example: {
    parameters: ['0x000000000000000000000000000000014b1c8a1d1c39da4bdf2b9c8d86ac2dd1'],
    result: '0x1',
  },
  handler: ({ ledger }, [hash]) => {
    const block = blockByHash(ledger, hash);
    return block === undefined ? null : quantity(block.operationCount);
  },
});

/** Parts of the method that counts the operations of a block by its number. */
export const COUNT_BY_NUMBER = {
  name: 'eth_getBlockTransactionCountByNumber',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  beforeFork: ofBlock(0, (history, block) => remoteCount(history, block, 'transactions')),
  result: shape.nullable(shape.quantity),
  example: { parameters: ['latest'], result: '0x1' },
} as const;

/** Counts the operations of a block; null beyond the head. */
export function operationCount(ledger: LedgerQueries, selector: BlockSelector) {
  const block = blockBySelector(ledger, selector);
  return block === undefined ? null : quantity(block.operationCount);
}

const getBlockTransactionCountByNumber = defineStateQuery({
  ...COUNT_BY_NUMBER,
  summary: 'Counts the operations of a block; null beyond the head.',
  differences: 'One operation of a native transaction counts as one transaction.',
  handler: ({ ledger }, [selector]) => operationCount(ledger, selector),
});

const fullTransactionsSchema = optional(flagSchema, false);

/** The methods that show blocks, their headers and their receipts. */
export const BLOCK_METHODS: readonly MethodDefinition[] = [
  ...BLOCK_CHOICES.map((choice) => blockMethod(choice, fullTransactionsSchema)),
  getBlockReceipts,
  ...BLOCK_CHOICES.map(getHeader),
  getBlockTransactionCountByHash,
  getBlockTransactionCountByNumber,
];
