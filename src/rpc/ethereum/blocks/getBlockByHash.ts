import { ethereumBlockShape, nullableShape } from '../../../view/index.ts';
import { ethereumBlockAt } from '../../answers/ethereum-objects.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { optional } from '../../parameters/schema.ts';

export const getBlockByHash = defineMethod({
  name: 'eth_getBlockByHash',
  summary: 'Answers a block by its hash; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    {
      name: 'fullTransactions',
      schema: optional(flagSchema, false),
      summary: 'True for transaction objects, false for their hashes.',
    },
  ],
  result: nullableShape(ethereumBlockShape),
  errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
  differences: "The hash is the native block's, with zeros in front, not that of the header's RLP.",
  handler: (context, [hash, full]) =>
    ethereumBlockAt(context, blockByHash(context.ledger, hash)?.number, full),
});
