import type { Address, Hash, Seed, SignedTransaction } from '../../protocol/index.ts';
import type { Shape } from '../../view/index.ts';
import type { TypedData } from '../../wallet/index.ts';
import type { DescribedError } from '../description/described-errors.ts';
import type { MethodContext, TestChainContext } from '../method-context.ts';
import type { Placed, Schema } from '../parameters/schema.ts';

/** A transaction object that was read; a passphrase makes up for the lock of its account. */
export interface OutgoingTransaction {
  /** Sends it, and returns its hash. @throws RequestFailedError, WalletError, RefusedError */
  send(context: TestChainContext, passphrase?: string): Hash;
  /** Sends it as if its sender were impersonated; throws as `send`. */
  sendUnsigned(context: TestChainContext): Hash;
  /** Signs it, and returns what `eth_signTransaction` does; throws as `send`. */
  sign(context: TestChainContext, passphrase?: string): unknown;
  /** Signs it for a block of a reorganisation; `index` tells equal ones of a block apart. */
  signForBlock(context: TestChainContext, index: number): SignedTransaction;
}

/** The accounts that a node of test mode signs for. All throw WalletError for an account that it does not hold. */
export interface Signer {
  /** Takes a key in, or generates one, and returns its address; the account starts locked. */
  create(passphrase: string, key?: Seed): Address;
  lock(address: Address): void;
  /** Unlocks an account; returns false on `/`, and throws on `/ethereum`, for a wrong passphrase. */
  unlock(address: Address, passphrase: string, durationSeconds?: number): boolean;
  signMessage(address: Address, message: Uint8Array, passphrase?: string): Uint8Array;
  signTypedData(address: Address, typedData: TypedData): Uint8Array;
}

/** Transactions as clients of a profile send them. */
export interface SendingStyle {
  /** The transaction object of sends. */
  readonly transaction: Schema<OutgoingTransaction>;
  /** The result of `eth_signTransaction`. */
  readonly signedShape: Shape<unknown>;
  signer(context: TestChainContext): Signer;
  /** Errors of a transaction that the node completes by an estimate. */
  readonly compositionErrors: readonly DescribedError[];
  readonly lockedError: DescribedError;
  readonly passphraseError: DescribedError;
  /** Reads a signed transaction. @throws InvalidParametersError on `/`, else RefusedError */
  decode(bytes: Placed<Uint8Array>): SignedTransaction;
  /** Checks the form of a signed transaction, which another node takes; throws as `submit`. */
  check(context: MethodContext, bytes: Placed<Uint8Array>): void;
  /** Submits a signed transaction, and returns its hash. @throws RefusedError, LimitError, InvalidParametersError */
  submit(context: MethodContext, bytes: Placed<Uint8Array>): Hash;
}
