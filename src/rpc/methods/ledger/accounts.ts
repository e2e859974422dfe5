import { shape, type ValueOf } from '../../../formatters/index.ts';
import { type Account, isAccountName, type LedgerQueries } from '../../../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  addressOwner,
  type ContractId,
  FormatError,
  formatAccountId,
  formatContractId,
  formatPublicKey,
  parseAccountId,
  parseContractId,
  quantity,
  toPrefixedHex,
} from '../../../protocol/index.ts';
import { defineMethod } from '../../method.ts';
import type { QueryContext } from '../../method-context.ts';
import { textSchema } from '../../parameters/plain.ts';
import { addressSchema, named, type ParameterPath, refusal, type Schema } from '../../parameters/schema.ts';
import { RequestFailedError } from '../../rpc-errors.ts';

/** The name of an account or a contract in a request. */
type AccountReference =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'contract'; readonly id: ContractId }
  | { readonly kind: 'name'; readonly name: string };

/** An address, `1.2.N`, `1.11.N`, or the name of an account. */
export const accountReferenceSchema: Schema<AccountReference> = named(
  'AccountReference',
  { title: 'address, 1.2.N, 1.11.N or name', description: 'An account, a contract or any other address.' },
  {
    describe: () => ({ type: 'string' }),
    read: (value, path) => {
      const text = textSchema.read(value, path);
      if (text.startsWith('0x')) return { kind: 'address', address: addressSchema.read(value, path) };
      if (text.startsWith('1.2.')) return { kind: 'account', id: instanceOf(text, path, parseAccountId) };
      if (text.startsWith('1.11.')) return { kind: 'contract', id: instanceOf(text, path, parseContractId) };
      if (isAccountName(text)) return { kind: 'name', name: text };
      throw refusal(path, 'expected an address, 1.2.N, 1.11.N or the name of an account');
    },
  },
);

function instanceOf<T>(text: string, path: ParameterPath, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FormatError) throw refusal(path, error.message);
    throw error;
  }
}

/** Finds the address of a reference; undefined where there is no such account or contract. */
function addressOfReference(ledger: LedgerQueries, reference: AccountReference): Address | undefined {
  switch (reference.kind) {
    case 'address':
      return reference.address;
    case 'account':
      return ledger.accounts.account(reference.id) === undefined ? undefined : accountAddress(reference.id);
    case 'contract':
      return ledger.accounts.contractAddressOf(reference.id);
    case 'name': {
      const id = ledger.accounts.accountByName(reference.name);
      return id === undefined ? undefined : accountAddress(id);
    }
  }
}

/** Finds the same. @throws RequestFailedError where there is no such account or contract */
export function requireAddress(ledger: LedgerQueries, reference: AccountReference): Address {
  const address = addressOfReference(ledger, reference);
  if (address !== undefined) return address;
  throw new RequestFailedError('there is no such account or contract');
}

const nativeAccountShape = shape.named(
  'NativeAccount',
  { title: 'native account' },
  shape.object({
    name: shape.text,
    evmAddress: shape.described(shape.nullable(shape.address), 'The EVM address that is registered for it.'),
    threshold: shape.described(shape.integer, 'Total weight that must sign for it.'),
    accounts: shape.array(
      shape.object({ account: shape.text, address: shape.address, weight: shape.integer }),
    ),
    keys: shape.array(shape.object({ key: shape.text, weight: shape.integer })),
    consensusKey: shape.described(shape.text, 'The key that signs its blocks.'),
    delegate: shape.described(shape.text, 'The account that produces blocks for it.'),
    delegateShare: shape.described(shape.integer, 'Share of the rewards in hundredths of a per cent.'),
  }),
);

const accountShape = shape.named(
  'Account',
  { title: 'account, contract or other address' },
  shape.object({
    address: shape.address,
    kind: shape.described(
      shape.text,
      '`account`, `contract`, `key` (an address of Ethereum with a balance or a nonce), `reference` (the EVM address ' +
        'of an account, and nothing else) or `unused`.',
    ),
    id: shape.described(shape.nullable(shape.text), '`1.2.N` or `1.11.N`.'),
    balance: shape.described(shape.quantity, 'Native units, on `/ethereum` wei.'),
    nonce: shape.described(shape.quantity, 'The nonce of the EVM.'),
    operationCount: shape.described(
      shape.nullable(shape.quantity),
      'Operations that it paid for; null without the history plugin.',
    ),
    codeSize: shape.described(shape.quantity, 'Bytes.'),
    referenceTo: shape.described(
      shape.nullable(shape.address),
      'The account for which the address is registered as its EVM address.',
    ),
    account: shape.nullable(nativeAccountShape),
  }),
);

type AccountObject = ValueOf<typeof accountShape>;

/** Describes an address by the latest state. */
function accountObject(context: QueryContext, address: Address): AccountObject {
  const { ledger, profile } = context;
  const owner = addressOwner(address);
  const account = owner.kind === 'account' ? ledger.accounts.account(owner.id) : undefined;
  const contract = ledger.accounts.contractIdAt(address);
  const reference = ledger.accounts.accountByEvmAddress(address);
  const nonce = ledger.accounts.nonceOf(address);
  const code = ledger.accounts.codeAt(address);
  let kind = reference === undefined ? 'unused' : 'reference';
  if (account !== undefined) kind = 'account';
  else if (contract !== undefined || code.length > 0) kind = 'contract';
  else if (nonce > 0n || ledger.accounts.weiBalanceOf(address) > 0n) kind = 'key';
  const contractText = contract === undefined ? null : formatContractId(contract);
  return {
    address: toPrefixedHex(address),
    kind,
    id: owner.kind === 'account' && account !== undefined ? formatAccountId(owner.id) : contractText,
    balance: quantity(profile.balance(context, address, undefined)),
    nonce: quantity(nonce),
    operationCount: ledger.accounts.hasHistory ? quantity(ledger.accounts.operationCount(address)) : null,
    codeSize: quantity(code.length),
    referenceTo: reference === undefined ? null : toPrefixedHex(accountAddress(reference)),
    account: account === undefined ? null : nativeAccount(account),
  };
}

function nativeAccount({ name, active, echorandKey, evmAddress, options }: Account) {
  return {
    name,
    evmAddress: evmAddress === undefined ? null : toPrefixedHex(evmAddress),
    threshold: active.weightThreshold,
    accounts: active.accountAuths.map(([id, weight]) => ({
      account: formatAccountId(id),
      address: toPrefixedHex(accountAddress(id)),
      weight,
    })),
    keys: active.keyAuths.map(([key, weight]) => ({ key: formatPublicKey(key), weight })),
    consensusKey: formatPublicKey(echorandKey),
    delegate: formatAccountId(options.delegatingAccount),
    delegateShare: options.delegateShare,
  };
}

export const getAccount = defineMethod({
  name: 'ledger_getAccount',
  summary:
    'Returns an account, a contract or any other address in the latest state; null for an unknown identifier or ' +
    'name.',
  section: 'state',
  parameters: [{ name: 'account', schema: accountReferenceSchema }],
  beforeFork: 'local',
  result: shape.nullable(accountShape),
  differences: 'Ethereum has no such method.',
  handler: (context, [reference]) => {
    const address = addressOfReference(context.ledger, reference);
    return address === undefined ? null : accountObject(context, address);
  },
});
