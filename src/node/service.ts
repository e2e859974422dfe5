import { startWarmUp } from '../evm/index.ts';
import {
  type ExecutionListener,
  InclusionWatch,
  type Ledger,
  type SignatureThreads,
} from '../ledger/index.ts';
import { pageFiles } from '../page/index.ts';
import { ProcessPool, ThreadedBlobVerifier, WorkerSignatureThreads } from '../processes/index.ts';
import { type AccountId, nativeLibraryMissing } from '../protocol/index.ts';
import {
  createDispatcher,
  type Dispatcher,
  METHODS,
  type NodeDependencies,
  SERVES_ETHEREUM,
} from '../rpc/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import {
  type BlockFeed,
  type ChainSource,
  type Followers,
  type HealthReport,
  Metrics,
  type RunningServer,
  type ServedChain,
  type ServedHead,
  startServer,
  VerificationRoutes,
} from '../server/index.ts';
import type { Store } from '../store/index.ts';
import type { Closers } from './closers.ts';
import type { ServiceConfiguration } from './configuration.ts';
import { VERSION } from './description.ts';
import type { NodeEvents } from './events.ts';
import type { HeadLag, Lag } from './health.ts';
import { ethereumBlockOf } from './logged-block.ts';
import { RootError } from './node-errors.ts';
import { preinstallName } from './preinstalls.ts';
import type { WriteHealth } from './write-health.ts';

/** The dependencies of a node's server: those of the methods, of metrics and of the block feed. */
export interface ServiceDependencies
  extends Omit<
    NodeDependencies,
    | 'allowUnprotected'
    | 'inclusions'
    | 'limits'
    | 'version'
    | 'onBalanceCut'
    | 'onCall'
    | 'onFailedCall'
    | 'onFailure'
  > {
  readonly store: Store;
  /** Receives console output and failed calls of executions; absent: discarded. */
  readonly executions?: Pick<ExecutionListener, 'console' | 'failed'> | undefined;
  readonly backoff: CpuBackoff;
  /** True if pages on loopback hosts and browser extensions may use the node without being listed. */
  readonly localOrigins: boolean;
  readonly writes: WriteHealth;
  health(): HealthReport;
  /** Lists the producers, and if each is missing; absent: the node does not watch them. */
  producers?(): Iterable<readonly [producer: AccountId, isMissing: boolean]>;
  /** The lag of the head; absent: no newer block is ever known. */
  readonly headLag?: HeadLag;
  /** Serves blocks to nodes that follow this one; absent: not served. */
  readonly blockFeed?: BlockFeed;
  /** Counts these nodes. */
  readonly followers?: Followers;
}

/** Opens the threads that check signatures ahead of a ledger. */
export function openSignatureThreads(events: NodeEvents, closers: Closers): SignatureThreads {
  const threads = new WorkerSignatureThreads((error) =>
    events.onInternalFailure?.('signature thread', error),
  );
  closers.add(() => threads.close());
  return threads;
}

/** Forwards a ledger's notifications to a node's events. */
export function forwardNotifications(ledger: Ledger, events: NodeEvents): void {
  for (const dropped of ledger.pool.droppedOnOpen) events.onDropped?.(dropped);
  ledger.chain.onBlock((block, { gas }) => events.onBlock?.(block, ethereumBlockOf(ledger, block, gas)));
  ledger.pool.onDropped((dropped) => events.onDropped?.(dropped));
}

const NO_LAG: Lag = { blocks: 0, seconds: 0 };

/** The services of a chain that are open, and not served yet. */
export interface OpenedService {
  readonly served: ServedChain;
  /** Starts the worker processes. Call it when the chain is served. */
  start(): void;
  /** Ends requests that wait for blocks: before the server stops, so that it does not wait for them. */
  endWaits(): void;
}

/**
 * Opens the services of a chain.
 * @param isFirst false for a further chain, without `GET /metrics` and the verification of contracts
 */
export function openService(
  dependencies: ServiceDependencies,
  configuration: ServiceConfiguration,
  events: NodeEvents,
  closers: Closers,
  isFirst = true,
): OpenedService {
  const { ledger, registration, writes } = dependencies;
  const processes = processesFor(dependencies, configuration, events);
  closers.add(() => processes.close());
  closers.add(ledger.history.onReorg(() => processes.abandonQueries()));
  closers.add(ledger.chain.onPatched(() => processes.abandonQueries()));
  const metrics = isFirst ? metricsOf(dependencies, processes) : undefined;
  closers.add(() => metrics?.close());
  const inclusions = new InclusionWatch(ledger);
  const blobVerifier = new ThreadedBlobVerifier();
  closers.add(() => blobVerifier.close());
  const onFailure = (task: string, error: unknown): void => {
    writes.note(error);
    events.onInternalFailure?.(task, error);
  };
  closers.add(ledger.blobs.onFailure((error) => onFailure('removal of blobs', error)));
  const context: NodeDependencies = {
    ...dependencies,
    allowUnprotected: configuration.allowUnprotected,
    inclusions,
    blobVerifier,
    preinstallName,
    version: VERSION,
    limits: configuration.rpc,
    onFailure,
    onBalanceCut: (address, asked, most) => events.onNotice?.({ kind: 'balanceCut', address, asked, most }),
    ...(metrics && { onCall: metrics.onCall }),
    onFailedCall: (method, message) => events.onFailedCall?.(method, message),
    onEthereumClient: (client, method) => events.onNotice?.({ kind: 'ethereumClient', client, method }),
  };
  const dispatcher = createDispatcher(context, METHODS, processes);
  const { artifacts } = dependencies;
  const verification =
    isFirst && artifacts !== undefined
      ? new VerificationRoutes({
          dispatcher,
          chain: ledger,
          artifacts,
          onFailed: (address, { code, message }) =>
            events.onFailedCall?.('verification', `${address}: ${code}: ${message}`),
        })
      : undefined;
  return {
    served: {
      dispatcher,
      root: configuration.root,
      head: servedHead(ledger),
      health: () => dependencies.health(),
      metrics,
      blockFeed: dependencies.blockFeed,
      followers: dependencies.followers,
      beacon: ledger,
      verification,
      page: configuration.explorer ? pageFiles() : undefined,
    },
    start: () => processes.start(),
    endWaits: () => {
      inclusions.close();
      verification?.close();
      registration?.close();
    },
  };
}

/**
 * Starts the server and the worker processes.
 * @param chains source of further chains; absent: there are none
 * @throws RootError, PageMissingError, and the error of listening
 */
export async function startService(
  dependencies: ServiceDependencies,
  configuration: ServiceConfiguration,
  events: NodeEvents,
  closers: Closers,
  chains?: ChainSource,
): Promise<RunningServer & { readonly dispatcher: Dispatcher }> {
  const { host, port, ipc, allowedHosts, allowedOrigins, root, server: limits } = configuration;
  if (SERVES_ETHEREUM[root] && !dependencies.ledger.parameters.knowsEthereum) throw new RootError();
  const { served, start, endWaits } = openService(dependencies, configuration, events, closers);
  const server = await startServer({
    ...served,
    host,
    port,
    ipc,
    allowedHosts,
    allowedOrigins,
    limits,
    chains,
    localOrigins: dependencies.localOrigins,
    onRequestRefused: (refused) => events.onNotice?.({ kind: 'requestRefused', ...refused }),
    onFailure: (error) => events.onInternalFailure?.('an HTTP request', error),
  });
  closers.add(() => server.close());
  closers.add(endWaits);
  start();
  const reason = nativeLibraryMissing();
  if (reason !== undefined) events.onNotice?.({ kind: 'recoveryInWasm', reason });
  closers.add(startWarmUp(dependencies.ledger.parameters.genesis.hardfork));
  return { ...server, dispatcher: served.dispatcher };
}

/** Creates the pool of processes for queries and traces: equally many for both, and at least one for traces. */
function processesFor(
  { ledger, store, executions }: ServiceDependencies,
  { workers, rpc }: ServiceConfiguration,
  events: NodeEvents,
): ProcessPool {
  return new ProcessPool({
    queries: workers,
    traces: Math.max(1, workers),
    get storePath() {
      return store.path;
    },
    limits: rpc,
    publish: () => store.publish(),
    timing: () => ledger.clock.timing,
    reorgCount: () => ledger.history.reorgCount,
    onExecutionReport:
      executions &&
      ((execution) => {
        if ('console' in execution) executions.console?.(execution.console);
        else executions.failed?.(execution.failed);
      }),
    onLost: (processId, reason) => events.onNotice?.({ kind: 'workerLost', processId, reason }),
  });
}

function metricsOf(
  { ledger, store, writes, headLag, nodeStatus, producers }: ServiceDependencies,
  processes: ProcessPool,
): Metrics {
  const metrics = new Metrics({
    version: VERSION,
    head: () => {
      const { number, header } = ledger.blocks.head();
      return { number, timestamp: header.timestamp };
    },
    now: () => ledger.clock.now(),
    lag: () => headLag?.lag ?? NO_LAG,
    blockLog: () => nodeStatus?.blockLog?.(),
    pendingTransactions: () => ledger.pool.pendingCount,
    signatureChecks: () => ledger.pool.signatures.counts,
    workers: () => processes.ready,
    writing: () => ({
      unwrittenBlocks: store.unwritten().blocks,
      hasFailed: writes.problems().length > 0,
    }),
    store: () => store.statistics(),
    producers: () => producers?.() ?? [],
  });
  ledger.chain.onBlock((_block, work) => metrics.onBlock(work));
  return metrics;
}

function servedHead(ledger: Ledger): ServedHead {
  return {
    number: () => ledger.blocks.head().number,
    onChange: (listener) => {
      const stops = [ledger.chain.onBlock(listener), ledger.history.onReorg(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
