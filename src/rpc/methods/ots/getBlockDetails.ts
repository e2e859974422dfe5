import { nullableShape } from '../../../view/index.ts';
import { blockByHash, blockBySelector } from '../../answers/find-block.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockDetails, blockDetailsShape } from '../../otterscan/block-pages.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

const DIFFERENCES = 'Nothing is issued with a block: its producer gets the fees.';

export const getBlockDetails = (profile: Profile): MethodDefinition =>
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

export const getBlockDetailsByHash = (profile: Profile): MethodDefinition =>
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
