import type { ArtifactRegistry } from '../contracts/index.ts';
import type { InclusionWatch, LedgerQueries, PendingState, TestChain } from '../ledger/index.ts';
import type { Address } from '../protocol/index.ts';
import type { Wallet } from '../wallet/index.ts';
import type { ChainControl } from './context/chain-control.ts';
import type { ChainDumps, NodeParts } from './context/node-parts.ts';
import type { NodeStatus } from './context/node-status.ts';
import type { RpcLimits } from './context/rpc-limits.ts';
import type { Subscriber } from './context/subscriber.ts';
import type { OpenRpcDocument } from './description/openrpc-document.ts';
import type { Filters } from './filters/filter-registry.ts';
import type { ResponseBody } from './json/response-body.ts';
import type { Overflow } from './json/text-writer.ts';
import type { ErrorStyle } from './parameters/positional.ts';
import type { BlockFactsCache } from './response-cache/block-facts-cache.ts';
import type { ResponseCache } from './response-cache/response-cache.ts';
import type { SubscriptionKind } from './subscriptions/subscription-kind.ts';

/** Where an answer goes on that is too long to be kept until it is whole, piece by piece. */
export interface AnswerOverflow extends Overflow {
  /** Milliseconds that the work has waited so far for whoever takes the pieces. */
  pausedMs(): number;
}

/** The stored chain and its state, which other processes see as well. */
export interface QueryContext {
  readonly ledger: LedgerQueries;
  readonly limits: RpcLimits;
  /** Absent: answers are kept until they are whole. */
  readonly overflow?: AnswerOverflow | undefined;
  /** The style of errors about parameters, by the profile. */
  readonly errorStyle: ErrorStyle;
  /** Former results about blocks, in the shapes of the profile. */
  readonly responses: ResponseCache;
  /** Sums over the receipts of blocks. */
  readonly blockFacts: BlockFactsCache;
  /** The state after what waits; only the node itself knows. Absent: what is stored is all there is. */
  readonly pending?: PendingState | undefined;
  /** Known contracts, whose errors are decoded; only the node itself knows them. Absent: none are. */
  readonly artifacts?: ArtifactRegistry | undefined;
  /** Whether an address is impersonated, and so pays nothing; only the node itself knows. Absent: none is. */
  impersonates?(address: Address): boolean;
}

/** Where the methods of a profile subscribe. */
export interface SubscriptionDesk {
  /** Returns the id of a new subscription. Throws `LimitError`. */
  add(subscriber: Subscriber, kind: SubscriptionKind): string;
  /** Ends one; false where the subscriber has none with this id. */
  remove(subscriber: Subscriber, id: string): boolean;
}

/** What handlers work on: the context, its gaps filled with defaults. */
export interface MethodContext
  extends NodeParts,
    Pick<QueryContext, 'limits' | 'errorStyle' | 'responses' | 'blockFacts'> {
  readonly nodeStatus: NodeStatus;
  readonly limits: RpcLimits;
  readonly filters: Filters;
  readonly subscriptions: SubscriptionDesk;
  readonly inclusions: InclusionWatch;
  readonly pending: PendingState;
  impersonates(address: Address): boolean;
  /** The description of the interface, as far as the node has it. */
  describe(): ResponseBody<OpenRpcDocument>;
  /** The names of the methods that the node serves. */
  readonly servedMethods: readonly string[];
}

/** What the handlers of a test chain work on. */
export interface TestChainContext extends MethodContext {
  readonly wallet: Wallet;
  readonly control: ChainControl;
  readonly testChain: TestChain;
  readonly dumps: ChainDumps;
  readonly artifacts: ArtifactRegistry;
}

/** Whether the node serves a test chain. */
export function isTestChain(context: MethodContext): context is TestChainContext {
  const parts = [context.wallet, context.control, context.testChain, context.dumps, context.artifacts];
  return parts.every((part) => part !== undefined);
}
