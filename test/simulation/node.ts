import {
  clockOf,
  type DroppedTransaction,
  type Genesis,
  Ledger,
  type SignedBlocks,
} from '../../src/ledger/index.ts';
import type { BlockLog, MessageExchange } from '../../src/node/block-log/block-log.ts';
import type { NodeNotice } from '../../src/node/notices.ts';
import { NodeRuntime } from '../../src/node/runtime.ts';
import type { KeyPair, SignedTransaction } from '../../src/protocol/index.ts';
import { CpuBackoff } from '../../src/scheduling/index.ts';
import type { Store } from '../../src/store/index.ts';
import { INTERVAL_SECONDS } from './chain.ts';
import type { Process } from './process.ts';

/** The dependencies of a simulated node. */
export interface SimulatedNodeParts {
  readonly process: Process;
  readonly store: Store;
  readonly genesis: Genesis;
  readonly keys: readonly KeyPair[];
  readonly signed: SignedBlocks;
  readonly log: BlockLog;
  readonly exchange: MessageExchange;
  readonly clocks: MessageExchange;
  onDropped(dropped: DroppedTransaction): void;
  onNotice(notice: NodeNotice): void;
  onFailure(task: string, error: unknown): void;
}

/** A whole node without an interface. */
export interface SimulatedNode {
  readonly ledger: Ledger;
  readonly runtime: NodeRuntime;
  /** Submits a transaction as the interface does. Throws as the ledger. */
  submit(transaction: SignedTransaction): void;
  /** Ends it as an operator does. */
  close(): Promise<void>;
}

/** Opens and starts a node: what `startNode` puts together, without folders and server. */
export async function openSimulatedNode(parts: SimulatedNodeParts): Promise<SimulatedNode> {
  const { process, store, genesis, keys, signed, log, exchange, clocks } = parts;
  const { time } = process;
  const ledger = await Ledger.open({
    ...{ store, genesis, time, clock: clockOf(time), keys, signed },
    mining: 'scheduled',
  });
  ledger.pool.onDropped((dropped) => parts.onDropped(dropped));
  for (const dropped of ledger.pool.droppedOnOpen) parts.onDropped(dropped);
  const runtime = new NodeRuntime({
    ...{ ledger, time, blockLog: { log, exchange, clocks } },
    backoff: new CpuBackoff(time),
    intervalMs: INTERVAL_SECONDS * 1_000,
    follow: [],
    produceWithoutHearing: false,
    freeBytes: () => 1,
    minFreeBytes: 1,
    events: {
      onNotice: (notice) => parts.onNotice(notice),
      onInternalFailure: (task, error) => parts.onFailure(task, error),
      onDiskFailure: (error) => parts.onFailure('the disk', error),
    },
  });
  runtime.start();
  return {
    ledger,
    runtime,
    submit: (transaction) => void ledger.pool.submit(transaction),
    close: async () => {
      await runtime.close();
      await log.close();
    },
  };
}
