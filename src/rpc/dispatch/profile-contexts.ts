import { InclusionWatch } from '../../ledger/index.ts';
import type { Time } from '../../time.ts';
import type { NodeParts } from '../context/node-parts.ts';
import { STANDALONE_STATUS } from '../context/node-status.ts';
import type { ProfileId } from '../context/profile-id.ts';
import { DEFAULT_RPC_LIMITS } from '../context/rpc-limits.ts';
import type { OpenRpcDocument } from '../description/openrpc-document.ts';
import { Feeds } from '../feeds/feeds.ts';
import type { Subscriptions } from '../feeds/subscriptions.ts';
import { ResponseBody } from '../json/response-body.ts';
import type { MethodDefinition } from '../method.ts';
import type { MethodContext } from '../method-context.ts';
import {
  describeInterface,
  ETHEREUM_INTERFACE,
  type InterfaceDescription,
  LEDGER_INTERFACE,
} from '../openrpc/describe-interface.ts';
import { type MethodRegistry, PROFILES } from '../registries.ts';
import { BlockFactsCache } from '../response-cache/block-facts-cache.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';

/** Returns the context of the methods of each profile. */
export function profileContexts(
  context: NodeParts,
  methods: Readonly<Record<ProfileId, MethodRegistry>>,
  time: Time,
): Readonly<Record<ProfileId, MethodContext>> & { readonly subscriptions: Subscriptions } {
  const { ledger, wallet } = context;
  const limits = { ...DEFAULT_RPC_LIMITS, ...context.limits };
  const nodeStatus = context.nodeStatus ?? STANDALONE_STATUS;
  const shared = {
    ...context,
    limits,
    nodeStatus,
    blockFacts: new BlockFactsCache(ledger),
    pending: ledger.pool.pending,
    inclusions: context.inclusions ?? new InclusionWatch(ledger),
    impersonates: (address: Parameters<MethodContext['impersonates']>[0]) =>
      wallet?.impersonates(address) === true,
  };
  const contextOf = (profile: ProfileId) => {
    const { errorStyle } = PROFILES[profile];
    return { ...shared, errorStyle, responses: new ResponseCache(ledger) };
  };
  const [native, ethereum] = [contextOf('ledger'), contextOf('ethereum')];
  const feeds = new Feeds({ ledger: native, ethereum }, time);
  return {
    subscriptions: feeds.subscriptions,
    ledger: {
      ...native,
      ...feeds.of(PROFILES.ledger),
      ...served(context, methods.ledger, LEDGER_INTERFACE),
    },
    ethereum: {
      ...ethereum,
      ...feeds.of(PROFILES.ethereum),
      ...served(context, methods.ethereum, ETHEREUM_INTERFACE),
    },
  };
}

/** Returns the methods that exist on the chain of a node, and their description. */
function served(
  { wallet, control, version }: NodeParts,
  methods: MethodRegistry,
  about: InterfaceDescription,
): Pick<MethodContext, 'describe' | 'servedMethods'> {
  const isTestChain = wallet !== undefined && control !== undefined;
  const isServed = ({ chains }: MethodDefinition): boolean => chains !== 'test' || isTestChain;
  const here = new Map([...methods].filter(([, method]) => isServed(method)));
  let description: ResponseBody<OpenRpcDocument> | undefined;
  const describe = (): ResponseBody<OpenRpcDocument> => {
    if (description !== undefined) return description;
    const document = JSON.stringify(describeInterface(here.values(), version, about));
    description = new ResponseBody(Buffer.from(document));
    return description;
  };
  return { describe, servedMethods: [...here.keys()] };
}
