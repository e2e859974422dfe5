import { compareBytes } from '../bytes/bytes.ts';
import type { Codec } from '../codec/codec.ts';
import { map } from '../codec/collections.ts';
import { uint16, uint32 } from '../codec/numbers.ts';
import { emptyExtensions, struct } from '../codec/structures.ts';
import type { PublicKey } from '../values.ts';
import { accountIdCodec } from './identifier-codecs.ts';
import type { AccountId } from './identifiers.ts';
import { publicKeyCodec } from './value-codecs.ts';

/** The members that may act for an account: their weights (1 to 65,535) must sum up to the threshold. */
export interface Authority {
  readonly weightThreshold: number;
  /** Accounts whose active authority counts, by instance. */
  readonly accountAuths: readonly (readonly [AccountId, number])[];
  /** Keys whose signature counts, by their bytes. */
  readonly keyAuths: readonly (readonly [PublicKey, number])[];
}

/** The threshold, then accounts and keys with their weights. */
export const authorityCodec: Codec<Authority> = struct<Authority>('authority', {
  weightThreshold: uint32,
  accountAuths: map(accountIdCodec, uint16, (left, right) => left - right),
  keyAuths: map(publicKeyCodec, uint16, compareBytes),
});

/** The delegate that produces blocks for an account. */
export interface AccountOptions {
  readonly delegatingAccount: AccountId;
  /** The delegate's share of rewards in hundredths of a per cent. */
  readonly delegateShare: number;
}

/** The delegate, its share, and extensions, which are empty. */
export const accountOptionsCodec: Codec<AccountOptions> = struct<AccountOptions>('account_options', {
  delegatingAccount: accountIdCodec,
  delegateShare: uint16,
  extensions: emptyExtensions,
});
