import { nullableShape } from '../../../view/index.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getHeaderByNumber = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getHeaderByNumber',
    // The name that Erigon gives it.
    aliases: ['erigon_getHeaderByNumber'],
    summary: 'Returns the header of a block by its number or tag; null for an unknown block.',
    section: 'blocks',
    work: 'worker',
    parameters: [{ name: 'block', schema: blockSelectorSchema }],
    result: nullableShape(objects.headerShape),
    differences: 'The fields of a block object without its transactions; a native header has others.',
    handler: (context, [reference]) => {
      const block = blockBySelector(context.ledger, reference);
      return block === undefined ? null : objects.header(context, block);
    },
  });
