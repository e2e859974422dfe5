import { startWarmUp } from '../evm/index.ts';
import { type ExecutionListener, InclusionWatch, type Ledger } from '../ledger/index.ts';
import { pageFiles } from '../page/index.ts';
import { ProcessPool } from '../processes/index.ts';
import { signatureRecovery } from '../protocol/index.ts';
import { createDispatcher, type Dispatcher, METHODS, type NodeParts } from '../rpc/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import {
  type BlockFeed,
  type HealthReport,
  Metrics,
  type RunningServer,
  type ServedHead,
  startServer,
} from '../server/index.ts';
import type { Store } from '../store/index.ts';
import type { Closers } from './closers.ts';
import type { ServiceConfiguration } from './configuration.ts';
import type { NodeEvents } from './events.ts';
import type { HeadLag, Lag } from './head-lag.ts';
import { VERSION } from './version.ts';
import type { WriteHealth } from './write-health.ts';

/** What a node's service answers from: what its methods get, and what is only told of it and watched. */
export interface ServiceParts
  extends Pick<
    NodeParts,
    | 'ledger'
    | 'wallet'
    | 'keys'
    | 'control'
    | 'testChain'
    | 'dumps'
    | 'artifacts'
    | 'registration'
    | 'forwarder'
    | 'nodeStatus'
    | 'nodeNumber'
  > {
  readonly store: Store;
  /** Gets what executions tell beside their outcomes; absent: nobody wants to know. */
  readonly told?: Pick<ExecutionListener, 'console' | 'failed'> | undefined;
  readonly backoff: CpuBackoff;
  /** Whether pages on loopback hosts and browser extensions may use the node without being listed. */
  readonly localOrigins: boolean;
  /** Told of each failure of the node in a call. */
  readonly writes: WriteHealth;
  health(): HealthReport;
  /** How far the head is behind the newest known block; absent: nothing newer is ever known. */
  readonly headLag?: HeadLag;
  /** Serves blocks to nodes that follow this one; absent: there are no such nodes. */
  readonly blockFeed?: BlockFeed;
}

/** Passes on to a node's events what its ledger tells of. */
export function tellOf(ledger: Ledger, events: NodeEvents): void {
  for (const dropped of ledger.droppedAtOpen) events.onDropped?.(dropped);
  ledger.onBlock((block) => events.onBlock?.(block));
  ledger.onDropped((dropped) => events.onDropped?.(dropped));
}

const NO_LAG: Lag = { blocks: 0, seconds: 0 };

/** A service that listens, and what answers it. */
export interface RunningService extends RunningServer {
  readonly dispatcher: Dispatcher;
}

/**
 * Starts to listen. Throws what listening throws.
 *
 * @throws PageMissingError
 */
export async function startService(
  parts: ServiceParts,
  configuration: ServiceConfiguration,
  events: NodeEvents,
  closers: Closers,
): Promise<RunningService> {
  const { host, port, allowedHosts, allowedOrigins, server: limits } = configuration;
  const processes = processesFor(parts, configuration, events);
  closers.add(() => processes.close());
  closers.add(parts.ledger.onForgotten(() => processes.abandonQueries()));
  closers.add(parts.ledger.onPatched(() => processes.abandonQueries()));
  const metrics = metricsOf(parts, processes);
  closers.add(() => metrics.close());
  const inclusions = new InclusionWatch(parts.ledger);
  const dispatcher = dispatcherFor(parts, { metrics, processes, inclusions }, configuration, events);
  const server = await startServer({
    dispatcher,
    head: servedHead(parts.ledger),
    host,
    port,
    allowedHosts,
    allowedOrigins,
    localOrigins: parts.localOrigins,
    health: () => parts.health(),
    metrics,
    blockFeed: parts.blockFeed,
    page: configuration.explorer ? pageFiles() : undefined,
    onRequestRefused: (refused) => events.onNotice?.({ kind: 'requestRefused', ...refused }),
    limits,
  });
  closers.add(() => server.close());
  // Before the server, so that the server does not wait for blocks that do not come.
  closers.add(() => parts.registration?.close());
  closers.add(() => inclusions.close());
  processes.start();
  if (signatureRecovery() === 'wasm') events.onNotice?.({ kind: 'recoveryInWasm' });
  closers.add(startWarmUp(parts.ledger.genesis.hardfork));
  return { ...server, dispatcher };
}

/** The processes that run queries and traces: for traces as many as for queries, and one where there are none. */
function processesFor(
  { ledger, store, told }: ServiceParts,
  { workers, rpc }: ServiceConfiguration,
  events: NodeEvents,
): ProcessPool {
  return new ProcessPool({
    queries: workers,
    traces: Math.max(1, workers),
    storePath: store.path,
    limits: rpc,
    settle: () => store.settle(),
    timing: () => ledger.timing,
    epoch: () => ledger.epoch,
    onTold:
      told &&
      ((execution) => {
        if ('console' in execution) told.console?.(execution.console);
        else told.failed?.(execution.failed);
      }),
    onLost: (processId, reason) => events.onNotice?.({ kind: 'workerLost', processId, reason }),
  });
}

function metricsOf(
  { ledger, store, writes, headLag, nodeStatus }: ServiceParts,
  processes: ProcessPool,
): Metrics {
  const metrics = new Metrics({
    version: VERSION,
    head: () => {
      const { number, header } = ledger.head();
      return { number, timestamp: header.timestamp };
    },
    now: () => ledger.now(),
    lag: () => headLag?.lag ?? NO_LAG,
    blockLog: () => nodeStatus?.blockLog?.(),
    pendingTransactions: () => ledger.pendingCount,
    workers: () => processes.ready,
    writing: () => ({
      unwrittenBlocks: store.unwritten().blocks,
      hasFailed: writes.problems().length > 0,
    }),
    store: () => store.statistics(),
  });
  ledger.onBlock((_block, work) => metrics.onBlock(work));
  return metrics;
}

/** The head as requests see it, and wait for. */
function servedHead(ledger: Ledger): ServedHead {
  return {
    number: () => ledger.head().number,
    onChange: (listener) => {
      const stops = [ledger.onBlock(listener), ledger.onForgotten(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

interface Desks {
  readonly metrics: Metrics;
  readonly processes: ProcessPool;
  readonly inclusions: InclusionWatch;
}

function dispatcherFor(
  parts: ServiceParts,
  { metrics, processes, inclusions }: Desks,
  { rpc, allowUnprotected }: ServiceConfiguration,
  events: NodeEvents,
): Dispatcher {
  const { ledger, wallet, keys, control, testChain, dumps, artifacts, registration, nodeStatus } = parts;
  const { forwarder, backoff, writes, nodeNumber } = parts;
  const context: NodeParts = {
    ledger,
    wallet,
    keys,
    allowUnprotected,
    control,
    testChain,
    dumps,
    artifacts,
    registration,
    forwarder,
    inclusions,
    nodeStatus,
    nodeNumber,
    backoff,
    version: VERSION,
    limits: rpc,
    onFailure: (method, error) => {
      writes.note(error);
      events.onInternalFailure?.(method, error);
    },
    onBalanceCut: (address, asked, most) => events.onNotice?.({ kind: 'balanceCut', address, asked, most }),
    onCall: metrics.onCall,
    onFailedCall: (method, message) => events.onFailedCall?.(method, message),
  };
  return createDispatcher(context, METHODS, processes);
}
