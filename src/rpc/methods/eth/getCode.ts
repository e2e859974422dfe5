import { constantShape, data, dataShape, eitherShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getCode = defineMethod({
  name: 'eth_getCode',
  summary: 'Answers the code of a contract; the empty string for an account or where there is nothing.',
  section: 'state',
  work: 'quick',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: eitherShape(dataShape, constantShape('')),
  differences: 'The empty string, not `0x`, where there is no code.',
  example: { parameters: ['0x0000000000000000000000000000000000000400', 'latest'], result: '' },
  handler: ({ ledger }, [address]) => {
    const code = ledger.codeAt(address);
    return code.length === 0 ? '' : data(code);
  },
});
