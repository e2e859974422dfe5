import { data, dataShape, namedShape, objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';

const accountInfoShape = namedShape(
  'AccountInfo',
  { title: 'account info' },
  objectShape({ balance: quantityShape, nonce: quantityShape, code: dataShape }),
);

export const getAccountInfo = defineMethod({
  name: 'eth_getAccountInfo',
  summary: 'Answers balance, count of operations and code of an address at once; needs the history plugin.',
  section: 'state',
  work: 'quick',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: accountInfoShape,
  errors: [ERRORS.historyDisabled],
  differences: '`nonce` is what `eth_getTransactionCount` answers; `code` is `0x` where there is none.',
  example: {
    parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
    result: { balance: '0x16345785d8a0000', nonce: '0x2', code: '0x' },
  },
  handler: ({ ledger }, [address]) => ({
    balance: quantity(ledger.balanceOf(address)),
    nonce: quantity(ledger.operationCount(address)),
    code: data(ledger.codeAt(address)),
  }),
});
