import type { AccountOverride, BlockOverride, CallMessage } from '../../ledger/index.ts';
import type { Hash, SignedTransaction } from '../../protocol/index.ts';
import type { Caller } from '../context/caller.ts';
import type { NodeDependencies } from '../context/node-dependencies.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Section } from '../description/sections.ts';
import type { Chains } from '../method.ts';
import type {
  MethodContext,
  ObjectFormatters,
  ProfileValues,
  QueryContext,
  Signer,
  StateReference,
  TestChainContext,
} from '../method-context.ts';
import type { Parameter, Schema } from '../parameters/schema.ts';
import type { RawTransaction } from '../transactions/raw-transactions.ts';

/** A parsed transaction object. A passphrase unlocks its account for one call. */
export interface OutgoingTransaction {
  /** Sends the transaction and returns its hash. @throws RequestFailedError, WalletError, RefusedError */
  send(context: TestChainContext, passphrase?: string): Hash;
  /** Sends the transaction as if its sender were impersonated; throws as `send`. */
  sendUnsigned(context: TestChainContext): Hash;
  /** Returns the result of `eth_signTransaction`; throws as `send`. */
  sign(context: TestChainContext, passphrase?: string): unknown;
  /** Signs the transaction for a block of a reorganisation; `index` distinguishes equal ones of a block. */
  signForBlock(context: TestChainContext, index: number): SignedTransaction;
}

export interface SendingStyle {
  readonly transaction: Schema<OutgoingTransaction>;
  /** Returns the accounts that a node signs for; undefined outside of test mode. */
  signer(node: Pick<NodeDependencies, 'wallet' | 'keys'>): Signer | undefined;
  /** The form of a signed transaction, for descriptions. */
  readonly rawForm: string;
  /**
   * Checks the form of a signed transaction before it is forwarded; throws as `submit`. Returns it without its blobs;
   * undefined on a chain that knows no such transactions.
   */
  check(context: MethodContext, raw: RawTransaction): SignedTransaction | undefined;
  /** Queues the signature checks of a transaction that will be submitted soon, for other threads. */
  expect(context: MethodContext, raw: RawTransaction): void;
  /**
   * Submits a signed transaction and returns its hash; with blobs, once they are verified.
   *
   * @throws RefusedError, LimitError, InvalidParametersError
   */
  submit(context: MethodContext, raw: RawTransaction, caller: Caller): Hash | Promise<Hash>;
}

export type CallBuilder = (
  this: void,
  context: QueryContext,
  accounts: readonly AccountOverride[],
  block: BlockOverride | undefined,
) => CallMessage;

/** The values by which the methods of both profiles differ. Other differences are in the folder of the native interface. */
export interface Profile extends ProfileValues {
  readonly id: ProfileId;
  /** The block of the state that queries read; on `/` it has no effect. */
  readonly stateParameter: Parameter<StateReference>;
  readonly objects: ObjectFormatters;
  readonly sending: SendingStyle;
  /** Chains whose pool of pending transactions is shown: test chains on `/`, all on `/ethereum`. */
  readonly pool: { readonly chains: Chains; readonly section: Section };
  readonly call: Schema<CallBuilder>;
}
