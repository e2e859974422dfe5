import { data } from '../../../view/index.ts';
import { defineTestMethod } from '../../method.ts';
import { addressSchema, dataSchema } from '../../schemas/bytes.ts';
import { dataResult } from '../../schemas/results.ts';

export const sign = defineTestMethod({
  name: 'eth_sign',
  summary: 'Signs a message, prefixed as Ethereum clients do, with the key of an unlocked account.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'message', schema: dataSchema },
  ],
  result: dataResult,
  handler: ({ wallet }, address, message) => data(wallet.signMessage(address, message)),
});
