import { headerShape, nullableShape, toHeader } from '../../../view/index.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';

export const getHeaderByNumber = defineMethod({
  name: 'eth_getHeaderByNumber',
  // The name that Erigon gives it.
  aliases: ['erigon_getHeaderByNumber'],
  summary: 'Answers a block by its number or tag without its transactions; null beyond the head.',
  section: 'blocks',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  result: nullableShape(headerShape),
  differences: 'The fields of a block object; a native header has others.',
  handler: ({ ledger }, [selector]) => {
    const block = blockBySelector(ledger, selector);
    return block === undefined ? null : toHeader(block);
  },
});
