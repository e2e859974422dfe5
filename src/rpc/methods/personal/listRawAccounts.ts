import { z } from 'zod';
import { data } from '../../../view/index.ts';
import { defineTestMethod } from '../../method.ts';
import { addressResult, hashResult } from '../../schemas/results.ts';

/** Test account record: docs/interface.md#test-account-record. */
const recordResult = z
  .strictObject({
    address: addressResult,
    privkey: hashResult.meta({ description: 'The private key.' }),
    passphrase: z.string(),
    passprase: z.string().meta({ description: 'The passphrase again.' }),
    locked: z.boolean(),
  })
  .meta({ id: 'AccountRecord', title: 'account record' });

export const listRawAccounts = defineTestMethod({
  name: 'personal_listRawAccounts',
  summary: 'Lists the accounts of the test wallet with their private keys and passphrases.',
  section: 'testMode',
  parameters: [],
  result: z.array(recordResult),
  differences: 'Ethereum has no such method.',
  handler: ({ wallet }) =>
    wallet.records().map(({ address, privateKey, passphrase, locked }) => ({
      address: data(address),
      privkey: data(privateKey),
      passphrase,
      // docs/interface.md#test-account-record
      passprase: passphrase,
      locked,
    })),
});
