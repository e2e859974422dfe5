import { blockByHash, blockObject } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { flagSchema } from '../../schemas/plain.ts';
import { blockResult } from '../../schemas/results.ts';

export const getBlockByHash = defineQuery({
  name: 'eth_getBlockByHash',
  summary: 'Answers a block by its hash, with transaction objects or their hashes; null when there is none.',
  section: 'blocks',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    {
      name: 'fullTransactions',
      schema: flagSchema,
      summary: 'True for transaction objects, false for their hashes.',
    },
  ],
  result: blockResult.nullable(),
  differences:
    "The hash is the native block id with 12 zero bytes in front; it is not the hash of the header's fields.",
  handler: (context, hash, fullTransactions) =>
    blockObject(context, blockByHash(context.ledger, hash)?.number, fullTransactions),
});
