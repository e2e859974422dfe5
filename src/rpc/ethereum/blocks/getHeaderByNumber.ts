import { ethereumHeaderShape, nullableShape } from '../../../view/index.ts';
import { ethereumHeaderText } from '../../answers/ethereum-objects.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';

export const getHeaderByNumber = defineMethod({
  name: 'eth_getHeaderByNumber',
  // The name that Erigon gives it.
  aliases: ['erigon_getHeaderByNumber'],
  summary: 'Answers the header of a block by its number or tag; null beyond the head.',
  section: 'blocks',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  result: nullableShape(ethereumHeaderShape),
  handler: (context, [selector]) => ethereumHeaderText(context, blockBySelector(context.ledger, selector)),
});
