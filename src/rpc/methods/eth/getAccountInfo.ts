import { z } from 'zod';
import { data, quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { dataResult, quantityResult } from '../../schemas/results.ts';

const accountInfoResult = z
  .strictObject({ balance: quantityResult, nonce: quantityResult, code: dataResult })
  .meta({ id: 'AccountInfo', title: 'account info' });

export const getAccountInfo = defineMethod({
  name: 'eth_getAccountInfo',
  summary: 'Answers balance, count of operations and code of an address at once; needs the history plugin.',
  section: 'state',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: accountInfoResult,
  errors: [ERRORS.historyDisabled],
  differences: '`nonce` is what `eth_getTransactionCount` answers; `code` is `0x` where there is none.',
  example: {
    parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
    result: { balance: '0x16345785d8a0000', nonce: '0x2', code: '0x' },
  },
  handler: ({ ledger }, address) => ({
    balance: quantity(ledger.balanceOf(address)),
    nonce: quantity(ledger.operationCount(address)),
    code: data(ledger.codeAt(address)),
  }),
});
