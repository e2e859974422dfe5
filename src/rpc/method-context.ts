import type { ArtifactRegistry } from '../contracts/index.ts';
import type { EthereumHeaderObject, HeaderObject, LogObject } from '../formatters/index.ts';
import type {
  BlockSummary,
  FoundLog,
  IncludedOperation,
  InclusionWatch,
  Ledger,
  LedgerQueries,
  PendingBlock,
  PendingOperation,
  TestChain,
} from '../ledger/index.ts';
import type { Address, Hash, Hexadecimal } from '../protocol/index.ts';
import type { Wallet } from '../wallet/index.ts';
import type { Subscriber } from './context/caller.ts';
import type { ChainControl } from './context/chain-control.ts';
import type { ChainDumps, NodeDependencies } from './context/node-dependencies.ts';
import type { NodeStatus } from './context/node-status.ts';
import type { RpcLimits } from './context/rpc-limits.ts';
import type { OpenRpcDocument } from './description/openrpc-document.ts';
import type { ResponseBody } from './json/response-body.ts';
import type { Overflow } from './json/text-writer.ts';
import type { BlockReference } from './parameters/block.ts';
import type { FilterKind, SubscriptionKind } from './parameters/event-kinds.ts';
import type { LogCriteria } from './parameters/log-options.ts';
import type { ErrorStyle } from './parameters/schema.ts';
import type { BlockFactsCache } from './response-cache/block-facts-cache.ts';
import type {
  ProfileBlock,
  ProfileReceipt,
  ProfileTransaction,
  ResponseCache,
} from './response-cache/response-cache.ts';

/** The stream of a response that is too long to be kept until it is whole. */
export interface ResponseOverflow extends Overflow {
  /** Milliseconds that the work has waited so far for the reader of the pieces. */
  pausedMs(): number;
}

/** The stored chain and its state, which other processes see as well. */
export interface QueryContext {
  readonly ledger: LedgerQueries;
  readonly limits: RpcLimits;
  /** Absent: answers are kept until they are whole. */
  readonly overflow?: ResponseOverflow | undefined;
  readonly profile: ProfileValues;
  /** The objects of the profile. */
  readonly objects: ObjectFormatters;
  /** Former results about blocks, in the shapes of the profile. */
  readonly responses: ResponseCache;
  /** Sums over the receipts of blocks. */
  readonly blockFacts: BlockFactsCache;
  /** The state after pending transactions; the node alone has it. Absent: there are none. */
  readonly pending?: PendingBlock | undefined;
  /** Known contracts, whose errors are decoded; the node alone has them. Absent: none are. */
  readonly artifacts?: ArtifactRegistry | undefined;
  /** True if an address is impersonated, and so pays nothing; the node alone knows. Absent: none is. */
  impersonates?(address: Address): boolean;
}

/** The parsed block parameter of a state query; undefined on `/`, where it has no effect. */
export type StateReference = BlockReference | undefined;

/** The values of a profile that handlers read. */
export interface ProfileValues {
  readonly errorStyle: ErrorStyle;
  /** Number of the snapshot with id 0. The ledger counts from 1. */
  readonly firstSnapshot: number;
  /** Checks the address of a sender. @throws RefusedError on `/` for the EVM address of an account */
  requireSender(ledger: Ledger, address: Address): void;
  /**
   * True if ranges of logs and of traces may name `pending` and pass the head, and filters of other kinds have logs.
   * Ethereum's clients refuse these.
   */
  readonly lenientLogs: boolean;
  clientVersion(context: MethodContext): string;
  /** Returns a balance in the unit of the profile; throws as `stateAt`. */
  balance(context: QueryContext, address: Address, reference: StateReference): bigint;
  /**
   * Returns the transaction count of an address: its operations in blocks on `/`, its nonce on `/ethereum`.
   *
   * @throws HistoryDisabledError for a count of operations without the history plugin; else as `stateAt`
   */
  transactionCount(context: QueryContext, address: Address, reference: StateReference): bigint | number;
}

export type ProfileHeader = HeaderObject | EthereumHeaderObject;

/** The JSON objects of blocks and their contents in a profile. */
export interface ObjectFormatters {
  /** Returns a block by number; null beyond the head, and without a number. */
  block(
    context: QueryContext,
    number: number | undefined,
    fullTransactions: boolean,
  ): ResponseBody<ProfileBlock> | null;
  header(context: QueryContext, block: BlockSummary): ProfileHeader | ResponseBody<ProfileHeader>;
  transaction(context: QueryContext, operation: IncludedOperation): ResponseBody<ProfileTransaction>;
  /** @param nonce nonce of the operation; absent: the next one of its payer */
  pendingTransaction(context: QueryContext, operation: PendingOperation, nonce?: bigint): ProfileTransaction;
  /** Returns the receipt of an operation in a block; null for none. */
  receipt(context: QueryContext, operation: IncludedOperation): ResponseBody<ProfileReceipt> | null;
  /** Returns the value of a native unit in the unit of the profile. */
  perUnit(ledger: LedgerQueries): bigint;
  /** Returns the hash of an operation in the profile. */
  hash(operation: IncludedOperation | PendingOperation): Hexadecimal;
  /** Returns the hash of an accepted operation by its pending form; undefined for a replaced or dropped one. */
  acceptedHash(ledger: Ledger, hash: Hash): Hexadecimal | undefined;
  /** Returns the receipt without its logs, in steps; null for none. */
  logFreeReceipt(
    context: QueryContext,
    operation: IncludedOperation,
  ): Generator<string, ProfileReceipt | null>;
  /** Returns a block object without its transactions and its logs bloom, in steps. */
  blockFields(context: QueryContext, block: BlockSummary): Generator<string, object>;
  logs(ledger: LedgerQueries, logs: readonly FoundLog[]): readonly FoundLog[];
  /** Returns the signed bytes of an Ethereum transaction; undefined if those of the native transaction are shown. */
  innerTransactionBytes(operation: IncludedOperation | PendingOperation): Hexadecimal | undefined;
}

/** The items of a filter: logs of a log filter, hashes of the other kinds. */
export type FilterItems = LogObject[] | Hexadecimal[];

/** The filters of clients. New ones have items in the shapes of a profile. */
export interface ClientFilters {
  /** Returns the id of a new one. @throws InvalidParametersError for a range that ends before it begins, LimitError */
  add(client: string, kind: FilterKind): bigint;
  /** Returns the items since the last poll. @throws RequestFailedError for an unknown id, LimitError */
  poll(id: bigint): FilterItems;
  /**
   * Returns all logs of a log filter; on `/` of another kind the items of the next poll, else that is not found. Throws
   * as `poll`.
   */
  logs(id: bigint): FilterItems;
  /** Returns the criteria of a log filter, undefined for another filter. Throws as `poll`. */
  logCriteria(id: bigint): LogCriteria | undefined;
  /** Removes a filter; false where there is none with this id. */
  remove(id: bigint): boolean;
}

/** The subscriptions of clients, with notifications in the shapes of a profile. */
export interface ClientSubscriptions {
  /** Adds one to events from now on, to be started when the response with its id was written. @throws LimitError */
  add(subscriber: Subscriber, kind: SubscriptionKind): { id: string; start(this: void): void };
  /** Ends a subscription; false where the subscriber has none with this id. */
  remove(subscriber: Subscriber, id: string): boolean;
}

/** Accounts that a node of test mode signs for. `unlock` throws on `/ethereum` for a wrong passphrase. */
export type Signer = Pick<Wallet, 'create' | 'lock' | 'unlock' | 'signMessage' | 'signTypedData'>;

export interface MethodContext
  extends NodeDependencies,
    Pick<QueryContext, 'limits' | 'profile' | 'objects' | 'responses' | 'blockFacts'> {
  readonly nodeStatus: NodeStatus;
  readonly limits: RpcLimits;
  readonly filters: ClientFilters;
  readonly subscriptions: ClientSubscriptions;
  readonly inclusions: InclusionWatch;
  /** Absent outside of test mode. */
  readonly signer?: Signer | undefined;
  readonly pending: PendingBlock;
  impersonates(address: Address): boolean;
  /** Returns the description of the interface that the node serves. */
  describe(): ResponseBody<OpenRpcDocument>;
  /** Returns the names of the methods that the node serves. */
  servedMethods(): Iterable<string>;
}

/** The node that the feeds of events read, before it has methods. */
export type FeedContext = Omit<MethodContext, 'filters' | 'subscriptions' | 'describe' | 'servedMethods'>;

export interface TestChainContext extends MethodContext {
  readonly wallet: Wallet;
  readonly signer: Signer;
  readonly control: ChainControl;
  readonly testChain: TestChain;
  readonly dumps: ChainDumps;
  readonly artifacts: ArtifactRegistry;
}

/** Returns true if the node serves a test chain. */
export function isTestChain(context: MethodContext): context is TestChainContext {
  const parts = [context.wallet, context.control, context.testChain, context.dumps, context.artifacts];
  return parts.every((part) => part !== undefined);
}
