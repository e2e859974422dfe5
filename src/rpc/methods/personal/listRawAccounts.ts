import { z } from 'zod';
import { data } from '../../../view/index.ts';
import { defineTestMethod } from '../../method.ts';
import { addressResult, hashResult } from '../../schemas/results.ts';

export const listRawAccounts = defineTestMethod({
  name: 'personal_listRawAccounts',
  summary: 'Lists the accounts of the test wallet with their private keys and passphrases.',
  parameters: [],
  result: z.array(
    z.strictObject({
      address: addressResult,
      privkey: hashResult,
      passphrase: z.string(),
      passprase: z.string(),
      locked: z.boolean(),
    }),
  ),
  handler: ({ wallet }) =>
    wallet.records().map(({ address, privateKey, passphrase, locked }) => ({
      address: data(address),
      privkey: data(privateKey),
      passphrase,
      // The specification's own example spells the field this way.
      passprase: passphrase,
      locked,
    })),
});
