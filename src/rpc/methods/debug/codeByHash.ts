import { data, dataShape, nullableShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const codeByHash = defineMethod({
  name: 'debug_codeByHash',
  summary: 'Answers the code of contracts by its Keccak-256 hash; null when no contract has it.',
  section: 'traces',
  work: 'quick',
  parameters: [
    { name: 'codeHash', schema: hashSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: nullableShape(dataShape),
  handler: ({ ledger }, [codeHash]) => {
    const code = ledger.codeByHash(codeHash);
    return code === undefined ? null : data(code);
  },
});
