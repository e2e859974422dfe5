import { blockShape, nullableShape } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { blockObject } from '../../answers/ledger-objects.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { flagSchema } from '../../parameters/plain.ts';

export const getBlockByHash = defineMethod({
  name: 'eth_getBlockByHash',
  summary: 'Answers a block by its hash, with transaction objects or their hashes; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    {
      name: 'fullTransactions',
      schema: flagSchema,
      summary: 'True for transaction objects, false for their hashes.',
    },
  ],
  result: nullableShape(blockShape),
  errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
  differences:
    "The hash is the native block id with 12 zero bytes in front; it is not the hash of the header's fields.",
  handler: (context, [hash, fullTransactions]) =>
    blockObject(context, blockByHash(context.ledger, hash)?.number, fullTransactions),
});
