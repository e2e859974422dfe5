import { nullableShape } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getHeaderByHash = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getHeaderByHash',
    summary: 'Returns the header of a block by its hash; null for an unknown block.',
    section: 'blocks',
    work: 'worker',
    parameters: [{ name: 'blockHash', schema: hashSchema }],
    result: nullableShape(objects.headerShape),
    differences: 'The fields of a block object without its transactions; a native header has others.',
    handler: (context, [reference]) => {
      const block = blockByHash(context.ledger, reference);
      return block === undefined ? null : objects.header(context, block);
    },
  });
