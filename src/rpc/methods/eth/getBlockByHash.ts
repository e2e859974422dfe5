import { nullableShape } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getBlockByHash = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getBlockByHash',
    summary:
      'Returns a block by its hash, with transaction objects or their hashes; null for an unknown hash.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      { name: 'blockHash', schema: hashSchema },
      {
        name: 'fullTransactions',
        schema: objects.fullTransactions,
        summary: 'True for transaction objects, false for their hashes.',
      },
    ],
    result: nullableShape(objects.blockShape),
    errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
    differences:
      "The hash is the native block id with 12 zero bytes in front; it is not the hash of the header's fields.",
    handler: (context, [hash, full]) =>
      objects.block(context, blockByHash(context.ledger, hash)?.number, full),
  });
