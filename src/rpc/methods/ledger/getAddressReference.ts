import { accountAddress } from '../../../protocol/index.ts';
import { addressShape, data, nullableShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getAddressReference = defineMethod({
  name: 'ledger_getAddressReference',
  summary: 'Answers the native address of the account that an EVM address is registered for; null for none.',
  section: 'registration',
  work: 'turn',
  parameters: [{ name: 'evm_address', schema: addressSchema }],
  result: nullableShape(addressShape),
  differences: 'An Ethereum address is a reference to an account here, whose own address is another one.',
  handler: ({ ledger }, [evmAddress]) => {
    const account = ledger.accountByEvmAddress(evmAddress);
    return account === undefined ? null : data(accountAddress(account));
  },
});
