import type {
  BlockOverride,
  BlockSummary,
  CallMessage,
  FoundLog,
  IncludedOperation,
  Ledger,
  LedgerQueries,
  PendingOperation,
  PendingState,
} from '../../ledger/index.ts';
import type { Address, Hash, Hexadecimal, SignedTransaction } from '../../protocol/index.ts';
import type { EthereumHeaderObject, HeaderObject, Shape } from '../../view/index.ts';
import type { Wallet } from '../../wallet/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { DescribedError } from '../description/described-errors.ts';
import type { Section } from '../description/sections.ts';
import type { ResponseBody } from '../json/response-body.ts';
import type { Chains, MethodCall } from '../method.ts';
import type { MethodContext, QueryContext, TestChainContext } from '../method-context.ts';
import type { BlockReference } from '../parameters/block.ts';
import type { PlacedOverride } from '../parameters/overrides.ts';
import type { ErrorStyle, Parameter, Place, Placed, Schema } from '../parameters/schema.ts';
import type { ProfileBlock, ProfileReceipt, ProfileTransaction } from '../response-cache/response-cache.ts';

/** The block parameter of a state query as it was read; undefined on `/`, where it has no effect. */
export type StateReference = BlockReference | undefined;

/** The state that queries read: on `/` always that of the head, on `/ethereum` that of the block they name. */
export interface StateAccess {
  /** The block parameter of a state query. */
  readonly parameter: Parameter<StateReference>;
  /** Errors of a query whose block does not exist or whose state is not kept. */
  readonly errors: readonly DescribedError[];
  /** A sentence about the kept states, for descriptions; undefined where it does not apply. */
  readonly differences: string | undefined;
  /** Returns a predicate for calls that read the head or the pending state, and so take a few look-ups. */
  readsHead(parameterIndex: number): (this: void, call: MethodCall) => boolean;
  /**
   * Returns the state after a block; `pending` selects the head.
   *
   * @throws RequestFailedError for an unknown block, and for one whose state is not kept
   */
  at(ledger: LedgerQueries, reference: StateReference): LedgerQueries;
  /** Returns the number of the oldest block whose state is read. */
  oldest(ledger: LedgerQueries): number;
  /** Returns true for a call, its block in the second place, that reads the pending state: only the node has it. */
  readsPending(this: void, context: MethodContext, call: MethodCall): boolean;
  /** Returns the state after the pending transactions for `pending`, else the state after a block; throws as `at`. */
  atOrPending(context: QueryContext, reference: StateReference): LedgerQueries | PendingState;
}

export type ProfileHeader = HeaderObject | EthereumHeaderObject;

/** The JSON objects of blocks and of what they hold, in the shapes of a profile. */
export interface ObjectFormatters {
  readonly blockShape: Shape<ProfileBlock>;
  readonly headerShape: Shape<ProfileHeader>;
  readonly transactionShape: Shape<ProfileTransaction>;
  readonly receiptShape: Shape<ProfileReceipt>;
  /** The parameter of block methods that selects transaction objects or hashes. */
  readonly fullTransactions: Schema<boolean>;
  /** Returns the block of a number; null beyond the head, and without a number. */
  block(
    context: QueryContext,
    number: number | undefined,
    fullTransactions: boolean,
  ): ResponseBody<ProfileBlock> | null;
  header(context: QueryContext, block: BlockSummary): ProfileHeader | ResponseBody<ProfileHeader>;
  /** Returns the transaction object of an operation in a block. */
  transaction(context: QueryContext, operation: IncludedOperation): ResponseBody<ProfileTransaction>;
  readonly pendingTransactionShape: Shape<ProfileTransaction>;
  /** @param nonce of the operation among those of its payer; absent: as if it were alone */
  pendingTransaction(context: QueryContext, operation: PendingOperation, nonce?: bigint): ProfileTransaction;
  /** Returns the receipt of an operation in a block; null where there is none. */
  receipt(context: QueryContext, operation: IncludedOperation): ResponseBody<ProfileReceipt> | null;
  /** Returns the hash that the profile shows for an operation. */
  hash(operation: IncludedOperation | PendingOperation): Hexadecimal;
  /** Returns the hash of an accepted operation, given in the pending form; undefined where none is shown any more. */
  acceptedHash(ledger: Ledger, hash: Hash): Hexadecimal | undefined;
  /** Returns the receipt as if it had no logs, in steps; null where there is none. */
  logFreeReceipt(
    context: QueryContext,
    operation: IncludedOperation,
  ): Generator<string, ProfileReceipt | null>;
  /** Returns all fields of a block object but its transactions and the bloom filter of its logs, in steps. */
  blockFields(context: QueryContext, block: BlockSummary): Generator<string, object>;
  /** Returns logs with the transaction hashes of the profile. */
  logs(ledger: LedgerQueries, logs: readonly FoundLog[]): readonly FoundLog[];
  /** Returns the signed bytes that an operation carries; undefined where those of its native transaction are shown. */
  innerTransactionBytes(operation: IncludedOperation | PendingOperation): Hexadecimal | undefined;
}

/** The outcome of a transaction in a detailed block object. */
export interface OutcomeDetail {
  /** Revert data; empty after a success. */
  readonly output: Hexadecimal;
  readonly revertReason: string | null;
}

/** Parameters and results of methods that control a test chain, by profile. */
export interface ChainControlStyle {
  /** Number of the snapshot whose id is 0; the chain itself counts from 1. */
  readonly firstSnapshot: number;
  /** The result of `evm_mine`. */
  readonly mined: '0x0' | null;
  /** True if the interval of `anvil_mine` comes before the first block as well. */
  readonly leads: boolean;
  /** Seconds in results. */
  readonly secondsShape: Shape<Hexadecimal | number>;
  seconds(seconds: number): Hexadecimal | number;
  /** The object of a block with the outcomes of its transactions. */
  readonly detailedBlockShape: Shape<object>;
  detailedBlock(
    context: QueryContext,
    block: BlockSummary,
    detailOf: (operation: IncludedOperation) => OutcomeDetail,
  ): object;
  /** An amount in the unit of the profile. */
  readonly amount: Schema<bigint>;
  inWei(ledger: Ledger, amount: bigint): bigint;
  /**
   * Returns the wei that an address gets of so many: no more than an account can hold.
   *
   * @throws InvalidParametersError on `/` for more
   */
  cappedBalance(context: TestChainContext, address: Address, wei: bigint, place: Place): bigint;
  /** Checks a price of gas, which is fixed. @throws InvalidParametersError on `/`, else RequestFailedError */
  requirePrice(ledger: Ledger, price: Placed<bigint>): void;
  /** Checks a base fee; throws as `requirePrice`. */
  requireBaseFee(ledger: Ledger, fee: Placed<bigint>): void;
  /** Returns true if the transaction count of an address is that of its operations, and not its nonce. */
  countsOperations(ledger: Ledger, address: Address): boolean;
  /** Checks an address that may have sent something. @throws RefusedError on `/` for the EVM address of an account */
  requireSender(ledger: Ledger, address: Address): void;
}

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

/** The accounts that a node of test mode signs for. `unlock` throws on `/ethereum` for a wrong passphrase. */
export type Signer = Pick<Wallet, 'create' | 'lock' | 'unlock' | 'signMessage' | 'signTypedData'>;

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

/** The prices of gas in the unit of a profile, which never change. */
export interface GasPrices {
  gasPrice(rules: LedgerQueries['parameters']['rules']): Hexadecimal | ResponseBody<Hexadecimal>;
  baseFee(rules: LedgerQueries['parameters']['rules']): Hexadecimal;
  readonly priorityFee: Hexadecimal;
  /** Base fee of blob gas, as fee histories have it. */
  readonly blobBaseFee: Hexadecimal;
  /** Returns the part of its gas that a block used, from 0 to 1, in steps. */
  usedRatio(context: QueryContext, block: BlockSummary): Generator<string, number>;
}

/** Builds the message of a call object, with the overrides that come with it. */
export type CallBuilder = (
  this: void,
  context: QueryContext,
  accounts: readonly PlacedOverride[],
  block: BlockOverride | undefined,
) => CallMessage;

/** Everything in which `/` and `/ethereum` differ. A method of both profiles is written once, against this value. */
export interface Profile {
  readonly id: ProfileId;
  readonly errorStyle: ErrorStyle;
  readonly state: StateAccess;
  readonly objects: ObjectFormatters;
  readonly sending: SendingStyle;
  readonly control: ChainControlStyle;
  /** The pool of pending transactions is shown by test chains on `/`, and by all on `/ethereum`. */
  readonly pool: { readonly chains: Chains; readonly section: Section };
  /** The call object of calls and traced calls. */
  readonly call: Schema<CallBuilder>;
  /** Name of the unit of amounts. */
  readonly unit: string;
  readonly prices: GasPrices;
  /** The chain id in responses: an integer on `/`, a quantity on `/ethereum`. */
  readonly chainIdShape: Shape<number | Hexadecimal>;
  chainId(network: LedgerQueries['parameters']['network']): number | ResponseBody<Hexadecimal>;
  /** Returns what `net_version` does: the id of the network on `/`, that of the chain on `/ethereum`. */
  networkId(network: LedgerQueries['parameters']['network']): number;
  clientVersion(context: MethodContext): string;
  /** Returns the worth of a native unit in the unit of the profile. */
  perUnit(ledger: LedgerQueries): bigint;
  /** Returns a balance in the unit of the profile: native units or wei; throws as `state.at`. */
  balance(context: QueryContext, address: Address, reference: StateReference): bigint;
  /**
   * Returns the transaction count of an address: its operations in blocks on `/`, its nonce on `/ethereum`.
   *
   * @throws HistoryDisabledError where a node that counts no operations is asked for them; else as `state.at`
   */
  transactionCount(context: QueryContext, address: Address, reference: StateReference): bigint | number;
  /** Code in a response; the empty text on `/`, and `0x` on `/ethereum`, for an address without code. */
  readonly codeShape: Shape<Hexadecimal | ''>;
  code(bytes: Uint8Array): Hexadecimal | '';
}
