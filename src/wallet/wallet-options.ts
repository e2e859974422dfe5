import type { Ledger } from '../ledger/index.ts';
import type { AccountId, KeyPair, Seed } from '../protocol/index.ts';
import type { Stopwatch } from '../time.ts';
import type { Impersonation } from './impersonation.ts';
import type { KeptValue } from './kept-file.ts';
import type { StoredAccount } from './wallet-file.ts';

/** What the wallet needs of a ledger. */
export type WalletLedger = Pick<
  Ledger,
  | 'head'
  | 'onForgotten'
  | 'accountByAddress'
  | 'accountByEvmAddress'
  | 'contractIdAt'
  | 'receiverAt'
  | 'estimateGas'
  | 'inWei'
  | 'sign'
  | 'submit'
  | 'submitInOwnBlock'
>;

/** An account of the genesis whose key the wallet holds. */
export interface GenesisWalletAccount {
  readonly id: AccountId;
  readonly seed: Seed;
}

/** The account that pays for new accounts. */
export interface Registrar {
  readonly id: AccountId;
  readonly keys: KeyPair;
}

/** What a wallet of native accounts registers them with, and where it keeps those that it created. */
export interface WalletOptions {
  /** Unlock durations run by it. */
  readonly time: Stopwatch;
  readonly registrar: Registrar;
  /** Where created accounts survive a restart; absent: they do not. */
  readonly storage?: Omit<KeptValue<readonly StoredAccount[]>, 'epoch'> | undefined;
  /** Absent: nobody is impersonated at first. */
  readonly impersonation?: Impersonation | undefined;
}
