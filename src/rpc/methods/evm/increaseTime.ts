import { TIMESTAMP_MAX } from '../../../limits.ts';
import { quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { boundedQuantitySchema } from '../../schemas/quantity.ts';
import { quantityResult } from '../../schemas/results.ts';

export const increaseTime = defineTestMethod({
  name: 'evm_increaseTime',
  summary: 'Moves the time of the next blocks forward and answers the total adjustment in seconds.',
  section: 'testMode',
  parameters: [
    {
      name: 'seconds',
      schema: boundedQuantitySchema(TIMESTAMP_MAX, 'seconds'),
      summary: 'How far to move, forward only.',
    },
  ],
  result: quantityResult,
  errors: [ERRORS.clockOutOfRange],
  differences: 'Answers the total of all adjustments as a QUANTITY.',
  example: { parameters: [3600], result: '0xe10' },
  handler: ({ ledger }, seconds) => quantity(ledger.increaseTime(seconds)),
});
