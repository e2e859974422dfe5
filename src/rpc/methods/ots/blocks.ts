import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { LISTED_OPERATIONS_MAX } from '../../../limits.ts';
import { nullableShape } from '../../../view/index.ts';
import { blockByHash, blockBySelector } from '../../answers/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockDetails, blockDetailsShape, blockPage, blockPageShape } from '../../otterscan/block-pages.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

const DIFFERENCES = 'Nothing is issued with a block: its producer gets the fees.';

const getBlockDetails = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_getBlockDetails',
    summary: 'Answers a block by its number without its transactions, and its fees; null beyond the head.',
    section: 'otterscan',
    work: 'worker',
    parameters: [{ name: 'block', schema: blockSelectorSchema }],
    result: nullableShape(blockDetailsShape),
    differences: DIFFERENCES,
    handler: (context, [selector]) => {
      const block = blockBySelector(context.ledger, selector);
      return block === undefined ? null : blockDetails(context, profile, block);
    },
  });

const getBlockDetailsByHash = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_getBlockDetailsByHash',
    summary: 'Answers a block by its hash without its transactions, and its fees; null when there is none.',
    section: 'otterscan',
    work: 'worker',
    parameters: [{ name: 'blockHash', schema: hashSchema }],
    result: nullableShape(blockDetailsShape),
    differences: DIFFERENCES,
    handler: (context, [hash]) => {
      const block = blockByHash(context.ledger, hash);
      return block === undefined ? null : blockDetails(context, profile, block);
    },
  });

const getBlockTransactions = (profile: Profile): MethodDefinition =>
  defineMethod({
    name: 'ots_getBlockTransactions',
    summary:
      'Answers a page of the transactions of a block, with their receipts; page 0 has the last ones; null beyond the ' +
      'head.',
    section: 'otterscan',
    work: 'worker',
    parameters: [
      { name: 'block', schema: blockSelectorSchema },
      { name: 'page', schema: boundedQuantity(BLOCK_NUMBER_MAX, 'as a page') },
      { name: 'size', schema: boundedQuantity(LISTED_OPERATIONS_MAX, 'transactions') },
    ],
    result: nullableShape(blockPageShape),
    errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: '`input` has its first 4 bytes at most, receipts have no logs.',
    handler: (context, [selector, page, size]) => {
      const block = blockBySelector(context.ledger, selector);
      return block === undefined ? null : blockPage(context, profile, block, page, size);
    },
  });

/** Returns Otterscan's methods about blocks. */
export function otterscanBlockMethods(profile: Profile): readonly MethodDefinition[] {
  return [getBlockDetails, getBlockDetailsByHash, getBlockTransactions].map((method) => method(profile));
}
