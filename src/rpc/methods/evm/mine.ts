import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const mine = defineTestMethod({
  name: 'evm_mine',
  summary: 'Forces one block, whether or not blocks are being generated.',
  parameters: [],
  result: z.null(),
  handler: ({ ledger }) => {
    ledger.mine();
    return null;
  },
});
