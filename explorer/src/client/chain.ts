import { fieldsOf, listOf, numberOf, optional, quantityOf, textOf } from './reading.ts';
import { call, callIfKnown, type Profile, pathOf, profile } from './rpc.ts';

/** Properties of a node that do not change while it runs. */
export interface ChainFacts {
  readonly profile: Profile;
  readonly chainId: bigint;
  readonly clientVersion: string;
  /** Name of the network in the genesis, if the profile reports it. */
  readonly network: string | undefined;
  readonly hardfork: string | undefined;
  /** True if the node has the methods of test mode. */
  readonly isTest: boolean;
  /** The remote block that the chain continues from; undefined for a chain that is no fork. */
  readonly fork: ForkFacts | undefined;
}

/** The origin of a forked chain. */
export interface ForkFacts {
  readonly number: number;
  /** URL of the remote node without credentials; undefined without one. */
  readonly source: string | undefined;
}

/** Properties of a node that change without a notification. */
export interface NodeState {
  readonly head: number;
  readonly pending: number;
  readonly peers: number;
  readonly isWell: boolean;
  /** Problems that an operator should look at. */
  readonly problems: readonly string[];
  /** Another one after each reset of a test chain, which may be another fork then; undefined outside of test mode. */
  readonly instance: string | undefined;
}

/**
 * Reads the properties of the node and its chain.
 * @throws as `call`
 */
export async function chainFacts(): Promise<ChainFacts> {
  const [found, chainId, clientVersion, chain, metadata] = await Promise.all([
    profile(),
    call('eth_chainId'),
    call('web3_clientVersion'),
    callIfKnown('ledger_getChain'),
    callIfKnown('hardhat_metadata'),
  ]);
  const { network, hardfork } = chain === undefined ? {} : fieldsOf(chain);
  return {
    profile: found,
    chainId: quantityOf(chainId),
    clientVersion: textOf(clientVersion),
    network: optional(network, textOf),
    hardfork: optional(hardfork, textOf),
    isTest: metadata !== undefined,
    fork: optional(fieldsOf(metadata ?? {}).forkedNetwork, forkOf),
  };
}

function forkOf(value: unknown): ForkFacts {
  const { forkBlockNumber, source } = fieldsOf(value);
  return { number: numberOf(forkBlockNumber), source: optional(source, textOf) };
}

/**
 * Reads the status of the node.
 * @throws as `call`
 */
export async function nodeState(): Promise<NodeState> {
  const [head, pool, peers, metadata, health] = await Promise.all([
    call('eth_blockNumber'),
    call('txpool_status'),
    call('net_peerCount'),
    callIfKnown('hardhat_metadata'),
    healthOfNode(),
  ]);
  const { pending, queued } = fieldsOf(pool);
  return {
    head: numberOf(head),
    pending: numberOf(pending) + numberOf(queued),
    peers: numberOf(peers),
    instance: optional(fieldsOf(metadata ?? {}).instanceId, textOf),
    ...health,
  };
}

async function healthOfNode(): Promise<Pick<NodeState, 'isWell' | 'problems'>> {
  // An unhealthy node responds with status 503 and the same fields.
  const response = await fetch(pathOf('health'));
  const { ok, problems } = fieldsOf(await response.json());
  return { isWell: ok === true, problems: listOf(problems ?? []).map(textOf) };
}
