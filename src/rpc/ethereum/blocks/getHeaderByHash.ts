import { ethereumHeaderShape, nullableShape } from '../../../view/index.ts';
import { ethereumHeaderText } from '../../answers/ethereum-objects.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getHeaderByHash = defineMethod({
  name: 'eth_getHeaderByHash',
  summary: 'Answers the header of a block by its hash; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: nullableShape(ethereumHeaderShape),
  handler: (context, [hash]) => ethereumHeaderText(context, blockByHash(context.ledger, hash)),
});
