import { isAccountName, type LedgerQueries } from '../../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  type ContractId,
  FormatError,
  parseAccountId,
  parseContractId,
} from '../../protocol/index.ts';
import { RequestFailedError } from '../errors.ts';
import { addressSchema } from '../parameters/bytes.ts';
import { textSchema } from '../parameters/plain.ts';
import { named, type Place, refusal, type Schema } from '../parameters/schema.ts';

/** How a request names an account or a contract. */
export type AccountReference =
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
    read: (value, place) => {
      const text = textSchema.read(value, place);
      if (text.startsWith('0x')) return { kind: 'address', address: addressSchema.read(value, place) };
      if (text.startsWith('1.2.')) return { kind: 'account', id: instanceOf(text, place, parseAccountId) };
      if (text.startsWith('1.11.')) return { kind: 'contract', id: instanceOf(text, place, parseContractId) };
      if (isAccountName(text)) return { kind: 'name', name: text };
      throw refusal(place, 'expected an address, 1.2.N, 1.11.N or the name of an account');
    },
  },
);

function instanceOf<T>(text: string, place: Place, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FormatError) throw refusal(place, error.message);
    throw error;
  }
}

/** The address that a reference stands for; undefined where there is no such account or contract. */
export function addressOfReference(ledger: LedgerQueries, reference: AccountReference): Address | undefined {
  switch (reference.kind) {
    case 'address':
      return reference.address;
    case 'account':
      return ledger.account(reference.id) === undefined ? undefined : accountAddress(reference.id);
    case 'contract':
      return ledger.contractAddressOf(reference.id);
    case 'name': {
      const id = ledger.accountByName(reference.name);
      return id === undefined ? undefined : accountAddress(id);
    }
  }
}

/** The same. @throws RequestFailedError where there is no such account or contract */
export function requireAddress(ledger: LedgerQueries, reference: AccountReference): Address {
  const address = addressOfReference(ledger, reference);
  if (address !== undefined) return address;
  throw new RequestFailedError('there is no such account or contract');
}
