import type { Profile } from '../client/rpc.ts';

/** The names that an explorer gives to the things of a chain. */
export interface Vocabulary {
  readonly transaction: string;
  readonly transactions: string;
  /** Heading of the column that names the function or the kind. */
  readonly method: string;
  readonly value: string;
  readonly fee: string;
  /** The same in lists. */
  readonly feeInList: string;
  readonly hash: string;
  readonly time: string;
}

const VOCABULARIES: Readonly<Record<Profile, Vocabulary>> = {
  // The words of Etherscan and Otterscan.
  ethereum: {
    transaction: 'transaction',
    transactions: 'transactions',
    method: 'Method',
    value: 'Value',
    fee: 'Transaction fee',
    feeInList: 'Txn fee',
    hash: 'Transaction hash',
    time: 'Timestamp',
  },
  ledger: {
    transaction: 'operation',
    transactions: 'operations',
    method: 'Type',
    value: 'Amount',
    fee: 'Fee',
    feeInList: 'Fee',
    hash: 'Operation hash',
    time: 'Timestamp',
  },
};

/** Returns the words for chains of a profile. */
export function vocabularyOf(profile: Profile): Vocabulary {
  return VOCABULARIES[profile];
}

/** Returns a text with a capital at its beginning. */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
