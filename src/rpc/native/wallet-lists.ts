import { shape } from '../../formatters/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { defineTestMethod, type MethodDefinition } from '../method.ts';

const listAccounts = defineTestMethod({
  name: 'personal_listAccounts',
  // The names that Ethereum tools use.
  aliases: ['eth_accounts', 'eth_requestAccounts'],
  summary: 'Lists the addresses of the accounts of the test wallet.',
  scheduling: 'turn',
  result: shape.array(shape.address),
  handler: ({ wallet }) => wallet.list().map(toPrefixedHex),
});

/** Test account record: docs/interface.md#test-account-record. */
const accountRecordShape = shape.named(
  'AccountRecord',
  { title: 'account record' },
  shape.object({
    address: shape.address,
    privkey: shape.described(shape.hash, 'The private key.'),
    passphrase: shape.text,
    passprase: shape.described(shape.text, 'The passphrase again.'),
    locked: shape.flag,
  }),
);

const listRawAccounts = defineTestMethod({
  name: 'personal_listRawAccounts',
  summary: 'Lists the accounts of the test wallet with their private keys and passphrases.',
  scheduling: 'turn',
  result: shape.array(accountRecordShape),
  differences: 'Ethereum has no such method.',
  handler: ({ wallet }) =>
    wallet.records().map(({ address, privateKey, passphrase, locked }) => ({
      address: toPrefixedHex(address),
      privkey: toPrefixedHex(privateKey),
      passphrase,
      // docs/interface.md#test-account-record
      passprase: passphrase,
      locked,
    })),
});

export const WALLET_LIST_METHODS: readonly MethodDefinition[] = [listAccounts, listRawAccounts];
