import { data, dataShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { placed } from '../../parameters/schema.ts';
import { signedAt, typedDataSchema } from '../../parameters/typed-data.ts';

export const signTypedData = defineMethod({
  name: 'eth_signTypedData_v4',
  // The names of earlier versions; what both can sign they sign alike.
  aliases: ['eth_signTypedData_v3', 'eth_signTypedData'],
  summary: 'Signs typed structured data (EIP-712) with the key of an unlocked account.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'address', schema: addressSchema, summary: 'An unlocked account of the wallet.' },
    { name: 'typedData', schema: placed(typedDataSchema) },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked],
  differences: "Recovers the account's EVM address, not the address of `1.2.N`. All versions are version 4.",
  handler: ({ wallet }, [address, typedData]) =>
    data(signedAt(typedData, (given) => wallet.signTypedData(address, given))),
});
