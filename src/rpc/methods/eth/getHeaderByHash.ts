import { toHeader } from '../../../view/index.ts';
import { blockByHash } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { headerResult } from '../../schemas/results.ts';

export const getHeaderByHash = defineQuery({
  name: 'eth_getHeaderByHash',
  summary: 'Answers a block by its hash without its transactions; null when there is none.',
  section: 'blocks',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: headerResult.nullable(),
  differences: 'The fields of a block object; a native header has others.',
  handler: ({ ledger }, hash) => {
    const block = blockByHash(ledger, hash);
    return block === undefined ? null : toHeader(block);
  },
});
