import type { Account } from '../../ledger/index.ts';
import {
  type Address,
  accountAddress,
  addressOwner,
  formatAccountId,
  formatContractId,
  formatPublicKey,
} from '../../protocol/index.ts';
import {
  addressShape,
  arrayShape,
  data,
  describedShape,
  integerShape,
  namedShape,
  nullableShape,
  objectShape,
  quantity,
  quantityShape,
  textShape,
  type ValueOf,
} from '../../view/index.ts';
import type { QueryContext } from '../method-context.ts';
import type { Profile } from '../profiles/profile.ts';

const nativeAccountShape = namedShape(
  'NativeAccount',
  { title: 'native account' },
  objectShape({
    name: textShape,
    evmAddress: describedShape(nullableShape(addressShape), 'The EVM address that is registered for it.'),
    threshold: describedShape(integerShape, 'Weights that have to sign for it together.'),
    accounts: arrayShape(objectShape({ account: textShape, address: addressShape, weight: integerShape })),
    keys: arrayShape(objectShape({ key: textShape, weight: integerShape })),
    consensusKey: describedShape(textShape, 'What it signs blocks with.'),
    delegate: describedShape(textShape, 'The account that it lets produce blocks in its place.'),
    delegateShare: describedShape(integerShape, 'Of rewards, in hundredths of a per cent.'),
  }),
);

/** What is known of an address. */
export const accountShape = namedShape(
  'Account',
  { title: 'account, contract or other address' },
  objectShape({
    address: addressShape,
    kind: describedShape(
      textShape,
      '`account`, `contract`, `key` (an address of Ethereum with a balance or a nonce), `reference` (the EVM address ' +
        'of an account, and nothing else) or `unused`.',
    ),
    id: describedShape(nullableShape(textShape), '`1.2.N` or `1.11.N`.'),
    balance: describedShape(quantityShape, 'Native units, on `/ethereum` wei.'),
    nonce: describedShape(quantityShape, 'Of the EVM.'),
    operationCount: describedShape(
      nullableShape(quantityShape),
      'Operations that it paid for; null without the history plugin.',
    ),
    codeSize: describedShape(quantityShape, 'Bytes.'),
    referenceTo: describedShape(
      nullableShape(addressShape),
      'The account for which the address is registered as its EVM address.',
    ),
    account: nullableShape(nativeAccountShape),
  }),
);

type AccountObject = ValueOf<typeof accountShape>;

/** What the state says of an address. */
export function accountObject(context: QueryContext, address: Address, profile: Profile): AccountObject {
  const { ledger } = context;
  const owner = addressOwner(address);
  const account = owner.kind === 'account' ? ledger.account(owner.id) : undefined;
  const contract = ledger.contractIdAt(address);
  const reference = ledger.accountByEvmAddress(address);
  const [balance, nonce] = [ledger.weiBalanceOf(address), ledger.nonceOf(address)];
  const code = ledger.codeAt(address);
  const isKey = balance > 0n || nonce > 0n;
  const ids = [
    owner.kind === 'account' && account !== undefined ? formatAccountId(owner.id) : undefined,
    contract === undefined ? undefined : formatContractId(contract),
  ];
  return {
    address: data(address),
    kind: kindOf(
      { isAccount: account !== undefined, isContract: contract !== undefined || code.length > 0, isKey },
      reference,
    ),
    id: ids.find((id) => id !== undefined) ?? null,
    balance: quantity(profile.balance(context, address, undefined)),
    nonce: quantity(nonce),
    operationCount: ledger.hasHistory ? quantity(ledger.operationCount(address)) : null,
    codeSize: quantity(code.length),
    referenceTo: reference === undefined ? null : data(accountAddress(reference)),
    account: account === undefined ? null : nativeAccount(account),
  };
}

interface Facts {
  readonly isAccount: boolean;
  readonly isContract: boolean;
  readonly isKey: boolean;
}

function kindOf({ isAccount, isContract, isKey }: Facts, reference: number | undefined): string {
  if (isAccount) return 'account';
  if (isContract) return 'contract';
  if (isKey) return 'key';
  return reference === undefined ? 'unused' : 'reference';
}

function nativeAccount({ name, active, echorandKey, evmAddress, options }: Account) {
  return {
    name,
    evmAddress: evmAddress === undefined ? null : data(evmAddress),
    threshold: active.weightThreshold,
    accounts: active.accountAuths.map(([id, weight]) => ({
      account: formatAccountId(id),
      address: data(accountAddress(id)),
      weight,
    })),
    keys: active.keyAuths.map(([key, weight]) => ({ key: formatPublicKey(key), weight })),
    consensusKey: formatPublicKey(echorandKey),
    delegate: formatAccountId(options.delegatingAccount),
    delegateShare: options.delegateShare,
  };
}
