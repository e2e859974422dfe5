import { accountAddress } from '../../../protocol/index.ts';
import { data } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { addressResult } from '../../schemas/results.ts';

export const getAddressReference = defineMethod({
  name: 'ledger_getAddressReference',
  summary: 'Answers the native address of the account that an EVM address is registered for; null for none.',
  section: 'registration',
  parameters: [{ name: 'evm_address', schema: addressSchema }],
  result: addressResult.nullable(),
  differences: 'An Ethereum address is a reference to an account here, whose own address is another one.',
  handler: ({ ledger }, evmAddress) => {
    const account = ledger.accountByEvmAddress(evmAddress);
    return account === undefined ? null : data(accountAddress(account));
  },
});
