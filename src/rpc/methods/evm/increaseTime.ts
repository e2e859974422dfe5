import { TIMESTAMP_MAX } from '../../../limits.ts';
import { quantity } from '../../../view/index.ts';
import { defineTestMethod } from '../../method.ts';
import { boundedQuantitySchema } from '../../schemas/quantity.ts';
import { quantityResult } from '../../schemas/results.ts';

export const increaseTime = defineTestMethod({
  name: 'evm_increaseTime',
  summary: 'Moves the time of the next blocks forward and answers the total adjustment in seconds.',
  parameters: [{ name: 'seconds', schema: boundedQuantitySchema(TIMESTAMP_MAX, 'seconds') }],
  result: quantityResult,
  handler: ({ ledger }, seconds) => quantity(ledger.increaseTime(seconds)),
});
