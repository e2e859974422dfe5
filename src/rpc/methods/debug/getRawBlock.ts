import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { blockOf, budgetOf, withinLimits } from '../../tracing/traceable.ts';

export const getRawBlock = defineMethod({
  name: 'debug_getRawBlock',
  summary: 'Answers the bytes of a block.',
  section: 'traces',
  work: 'worker',
  parameters: [{ name: 'block', schema: blockReferenceSchema }],
  result: dataShape,
  errors: [ERRORS.blockNotFound, ERRORS.traceTooLarge],
  differences: 'The native block, transactions included.',
  handler: (context, [reference]) => {
    const { ledger } = context;
    const { number, size } = blockOf(ledger, reference);
    withinLimits(() => budgetOf(context).take(2 * size));
    return data(ledger.serializedBlock(number) ?? new Uint8Array(0));
  },
});
