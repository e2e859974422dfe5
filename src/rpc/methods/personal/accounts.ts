import { toPrefixedHex } from '../../../protocol/index.ts';
import { shape } from '../../../view/index.ts';
import { UNLOCK_SECONDS_MAX } from '../../../wallet/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod, type MethodDefinition } from '../../method.ts';
import { boundedQuantity, passphraseSchema, privateKeySchema } from '../../parameters/plain.ts';
import { addressSchema, optional } from '../../parameters/schema.ts';
import type { Profile } from '../../profiles/profile.ts';

const PASSPHRASE_PARAMETER = {
  name: 'passphrase',
  schema: passphraseSchema,
  summary: 'Unlocks the account later.',
} as const;

const KEY_DIFFERENCES = 'Starts without a balance. Stored with the chain, if the node stores it.';

const newAccount = ({ id, sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'personal_newAccount',
    summary: 'Creates an account with a new key and returns its address; the account starts locked.',
    parameters: [PASSPHRASE_PARAMETER],
    result: shape.address,
    errors: id === 'ledger' ? [ERRORS.walletFull, ERRORS.insufficientFunds] : [ERRORS.walletFull],
    differences:
      id === 'ledger' ? 'Registers an account on the ledger, in a separate block.' : KEY_DIFFERENCES,
    example:
      id === 'ledger'
        ? { parameters: ['secret'], result: '0x000000000000000000000000000000000000040a' }
        : undefined,
    handler: (context, [passphrase]) => toPrefixedHex(sending.signer(context).create(passphrase)),
  });

const importRawKey = ({ id, sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'personal_importRawKey',
    summary:
      'Creates an account with a given private key and returns its address; the account starts locked.',
    parameters: [{ name: 'key', schema: privateKeySchema }, PASSPHRASE_PARAMETER],
    result: shape.address,
    errors:
      id === 'ledger'
        ? [ERRORS.walletFull, ERRORS.insufficientFunds, ERRORS.nameTaken, ERRORS.evmAddressTaken]
        : [ERRORS.walletFull, ERRORS.accountExists],
    differences:
      id === 'ledger'
        ? 'Registers an account on the ledger, in a separate block. Returns the native address; the address that ' +
          'Ethereum derives from the key is the EVM address of the account.'
        : KEY_DIFFERENCES,
    handler: (context, [key, passphrase]) => toPrefixedHex(sending.signer(context).create(passphrase, key)),
  });

const lockAccount = ({ sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'personal_lockAccount',
    summary: 'Locks an account: its key can no longer sign or send.',
    scheduling: 'turn',
    parameters: [{ name: 'address', schema: addressSchema }],
    result: shape.constant(true),
    errors: [ERRORS.unknownAccount],
    example: { parameters: ['0x0000000000000000000000000000000000000400'], result: true },
    handler: (context, [address]) => {
      sending.signer(context).lock(address);
      return true as const;
    },
  });

const unlockAccount = ({ id, sending }: Profile): MethodDefinition =>
  defineTestMethod({
    name: 'personal_unlockAccount',
    summary: 'Unlocks an account for a number of seconds; 0: until it is locked.',
    scheduling: 'turn',
    parameters: [
      { name: 'address', schema: addressSchema },
      { name: 'passphrase', schema: passphraseSchema },
      {
        name: 'duration',
        schema: optional(boundedQuantity(UNLOCK_SECONDS_MAX, 'seconds')),
        summary: 'Seconds; absent: 300; 0: until it is locked.',
      },
    ],
    result: id === 'ledger' ? shape.flag : shape.constant(true),
    errors: id === 'ledger' ? [ERRORS.unknownAccount] : [ERRORS.unknownAccount, ERRORS.wrongPassword],
    differences:
      id === 'ledger'
        ? 'Returns false for a wrong passphrase, without an error.'
        : 'The accounts that the chain begins with have the empty passphrase.',
    example: { parameters: ['0x0000000000000000000000000000000000000400', '', '0x1e'], result: true },
    handler: (context, [address, passphrase, duration]) =>
      sending.signer(context).unlock(address, passphrase, duration),
  });

/** Returns the methods that make, lock and unlock accounts of the node. */
export function personalAccountMethods(profile: Profile): readonly MethodDefinition[] {
  return [newAccount, importRawKey, lockAccount, unlockAccount].map((method) => method(profile));
}

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
