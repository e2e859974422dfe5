import { z } from 'zod';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';

export const mine = defineTestMethod({
  name: 'evm_mine',
  summary: 'Forces one block, whether or not blocks are being generated.',
  section: 'testMode',
  parameters: [],
  result: z.null(),
  errors: [ERRORS.noProducerKey],
  differences: 'Takes no time stamp: `evm_increaseTime` moves the time.',
  example: { parameters: [], result: null },
  handler: ({ ledger }) => {
    ledger.mine();
    return null;
  },
});
