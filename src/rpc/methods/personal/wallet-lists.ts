import {
  addressShape,
  arrayShape,
  data,
  describedShape,
  flagShape,
  hashShape,
  namedShape,
  objectShape,
  textShape,
} from '../../../view/index.ts';
import { defineTestMethod, type MethodDefinition } from '../../method.ts';

const listAccounts = defineTestMethod({
  name: 'personal_listAccounts',
  // The names that Ethereum tools use.
  aliases: ['eth_accounts', 'eth_requestAccounts'],
  summary: 'Lists the addresses of the accounts of the test wallet.',
  work: 'turn',
  result: arrayShape(addressShape),
  handler: ({ wallet }) => wallet.list().map(data),
});

/** Test account record: docs/interface.md#test-account-record. */
const accountRecordShape = namedShape(
  'AccountRecord',
  { title: 'account record' },
  objectShape({
    address: addressShape,
    privkey: describedShape(hashShape, 'The private key.'),
    passphrase: textShape,
    passprase: describedShape(textShape, 'The passphrase again.'),
    locked: flagShape,
  }),
);

const listRawAccounts = defineTestMethod({
  name: 'personal_listRawAccounts',
  summary: 'Lists the accounts of the test wallet with their private keys and passphrases.',
  work: 'turn',
  result: arrayShape(accountRecordShape),
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

/** The methods that list the accounts of the test wallet. */
export const WALLET_LIST_METHODS: readonly MethodDefinition[] = [listAccounts, listRawAccounts];
