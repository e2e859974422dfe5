import { headerShape, nullableShape, toHeader } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getHeaderByHash = defineMethod({
  name: 'eth_getHeaderByHash',
  summary: 'Answers a block by its hash without its transactions; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: nullableShape(headerShape),
  differences: 'The fields of a block object; a native header has others.',
  handler: ({ ledger }, [hash]) => {
    const block = blockByHash(ledger, hash);
    return block === undefined ? null : toHeader(block);
  },
});
