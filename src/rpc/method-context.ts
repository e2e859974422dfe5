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
import type { EthereumAnswers } from './response-cache/ethereum-answers.ts';
import type { IncludedAnswers } from './response-cache/included-answers.ts';
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
  /** Results about blocks that were given before. */
  readonly included: IncludedAnswers;
  /** The same, in the shapes of `/ethereum`. */
  readonly ethereumIncluded: EthereumAnswers;
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
export interface MethodContext extends NodeParts {
  readonly nodeStatus: NodeStatus;
  readonly limits: RpcLimits;
  readonly filters: Filters;
  readonly subscriptions: SubscriptionDesk;
  readonly inclusions: InclusionWatch;
  readonly included: IncludedAnswers;
  readonly ethereumIncluded: EthereumAnswers;
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
