import { BLOCK_NUMBER_MAX } from '../../../consensus.ts';
import { LISTED_OPERATIONS_MAX } from '../../../limits.ts';
import { nullableShape } from '../../../view/index.ts';
import { blockBySelector } from '../../blocks/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockDetails, blockDetailsShape, blockPage, blockPageShape } from '../../otterscan/block-pages.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { boundedQuantity } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';
import { BLOCK_CHOICES, type BlockChoice } from '../eth/block-choice.ts';

const getBlockDetails = (profile: Profile, { suffix, noun, parameter }: BlockChoice): MethodDefinition =>
  defineMethod({
    name: `ots_getBlockDetails${suffix === 'Hash' ? 'ByHash' : ''}`,
    summary: `Returns a block by its ${noun} without its transactions, and its fees; null for an unknown block.`,
    section: 'otterscan',
    work: 'worker',
    parameters: [parameter],
    result: nullableShape(blockDetailsShape),
    differences: 'Nothing is issued with a block: its producer gets the fees.',
    handler: (context, [numberOf]) => {
      const number = numberOf(context.ledger);
      const block = number === undefined ? undefined : context.ledger.blockByNumber(number);
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
  return [...BLOCK_CHOICES.map((choice) => getBlockDetails(profile, choice)), getBlockTransactions(profile)];
}
