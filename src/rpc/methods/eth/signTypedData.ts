import type { Address } from '../../../protocol/index.ts';
import { data } from '../../../view/index.ts';
import type { TypedData } from '../../../wallet/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod, type TestModeContext } from '../../method.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { dataResult } from '../../schemas/results.ts';
import { typedDataSchema } from '../../schemas/typed-data.ts';

const description = {
  summary: 'Signs typed structured data (EIP-712) with the key of an unlocked account.',
  section: 'testMode',
  parameters: [
    { name: 'address', schema: addressSchema, summary: 'An unlocked account of the wallet.' },
    { name: 'typedData', schema: typedDataSchema },
  ],
  result: dataResult,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked],
  differences: "Recovers the account's EVM address, not the address of `1.2.N`. All versions are version 4.",
  handler: ({ wallet }: TestModeContext, address: Address, typedData: TypedData) =>
    data(wallet.signTypedData(address, typedData)),
} as const;

export const signTypedData = defineTestMethod({ ...description, name: 'eth_signTypedData_v4' });

/** The names of earlier versions; what both can sign they sign alike. */
export const signTypedDataThree = defineTestMethod({ ...description, name: 'eth_signTypedData_v3' });
export const signTypedDataPlain = defineTestMethod({ ...description, name: 'eth_signTypedData' });
