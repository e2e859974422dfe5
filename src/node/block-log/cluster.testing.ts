import { expect } from 'vitest';
import { clockOf, type Genesis, Ledger, type LedgerOptions, type SignedBlocks } from '../../ledger/index.ts';
import {
  accountAt,
  KEYS,
  keyAt,
  PRODUCER_KEY,
  rootByScan,
  sign,
  testGenesis,
  transfer,
} from '../../ledger/ledger.testing.ts';
import { type KeyPair, type PublicKey, toPrefixedHex } from '../../protocol/index.ts';
import { CpuBackoff } from '../../scheduling/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { ManualTime } from '../../time/time.testing.ts';
import type { NodeNotice } from '../notices.ts';
import { NodeRuntime } from '../runtime.ts';
import { type MemoryClient, MemoryLog } from './memory-log.testing.ts';

export const INTERVAL_MS = 1_000;

/** Keys of the producers, in the order of their turns; the first makes block 3, 6 and so on. */
export const PRODUCERS: readonly KeyPair[] = [PRODUCER_KEY, keyAt(0), keyAt(1)];

/** A chain of three producers that has a block each second. */
export function clusterGenesis(): Genesis {
  return { ...testGenesis(), producers: [accountAt(-1), accountAt(0), accountAt(1)], blockInterval: 1 };
}

/** The data of a node that is not running. */
export class Disk {
  readonly store: Store = openStore({ durable: false });
  readonly signed = new Records();
}

/** Records of what was signed, in memory. */
class Records implements SignedBlocks {
  readonly #records = new Map<string, { number: number; block: Uint8Array }>();

  last(key: PublicKey): number {
    return this.#records.get(toPrefixedHex(key))?.number ?? 0;
  }

  block(key: PublicKey): Uint8Array | undefined {
    const block = this.#records.get(toPrefixedHex(key))?.block;
    return block?.length === 0 ? undefined : block;
  }

  record(key: PublicKey, number: number, block: Uint8Array): void {
    expect(number).toBeGreaterThan(this.last(key));
    this.#records.set(toPrefixedHex(key), { number, block: block.slice() });
  }
}

/** A node without an interface, in this process. */
export interface ClusterNode {
  readonly disk: Disk;
  readonly ledger: Ledger;
  readonly runtime: NodeRuntime;
  readonly log: MemoryClient;
  readonly notices: NodeNotice[];
  /** Internal failures of the node. */
  readonly failures: unknown[];
  stop(): Promise<void>;
}

/** Options of starting a node. */
export interface ClusterNodeOptions {
  readonly keys?: readonly KeyPair[];
  readonly disk?: Disk;
  /** Milliseconds by which its machine's clock is ahead. */
  readonly clockAhead?: number;
  readonly signatureThreads?: LedgerOptions['signatureThreads'];
}

/** A cluster in this process on a time that a test moves. */
export class Cluster {
  readonly time = new ManualTime(clusterGenesis().timestamp * 1_000);
  readonly log = new MemoryLog();
  readonly genesis: Genesis;
  readonly #running = new Set<ClusterNode>();
  readonly #disks = new Set<Disk>();

  constructor(genesis = clusterGenesis()) {
    this.genesis = genesis;
  }

  async start({
    keys = [],
    disk = new Disk(),
    clockAhead = 0,
    signatureThreads,
  }: ClusterNodeOptions = {}): Promise<ClusterNode> {
    this.#disks.add(disk);
    const time = clockAhead === 0 ? this.time : new AheadTime(this.time, clockAhead);
    const ledger = await Ledger.open({
      ...{ store: disk.store, signed: disk.signed, time, keys, signatureThreads },
      genesis: this.genesis,
      clock: clockOf(time),
      mining: 'scheduled',
    });
    const notices: NodeNotice[] = [];
    const failures: unknown[] = [];
    const log = this.log.open();
    const runtime = new NodeRuntime({
      ...{ ledger, time, backoff: new CpuBackoff(time), follow: [], blockLog: log },
      intervalMs: this.genesis.blockInterval * 1_000,
      produceWithoutHearing: false,
      freeBytes: () => 1,
      minFreeBytes: 1,
      events: {
        onNotice: (notice) => notices.push(notice),
        onInternalFailure: (_task, error) => failures.push(error),
      },
    });
    const stop = async (): Promise<void> => {
      this.#running.delete(node);
      await runtime.close();
      await log.log.close();
    };
    const node: ClusterNode = { disk, ledger, runtime, log, notices, failures, stop };
    this.#running.add(node);
    runtime.start();
    return node;
  }

  /** Three nodes with the key of one producer each. */
  async startThree(): Promise<readonly [ClusterNode, ClusterNode, ClusterNode]> {
    const start = (index: number): Promise<ClusterNode> =>
      this.start({ keys: PRODUCERS.slice(index, index + 1) });
    return [await start(0), await start(1), await start(2)];
  }

  /** Checks that all nodes that run have one chain, that of the log, with one state. */
  expectOne(): void {
    for (const { ledger, disk, failures } of this.#running) {
      const [first] = this.#running;
      expect(ledger.blocks.head()).toEqual(first?.ledger.blocks.head());
      expect(ledger.blocks.head().number).toBe(this.log.blocks.length);
      expect(rootByScan(disk.store)).toEqual(rootByScan(first?.disk.store ?? disk.store));
      expect(failures).toEqual([]);
    }
  }

  async clean(): Promise<void> {
    for (const node of [...this.#running]) await node.stop();
    for (const { store } of this.#disks) await store.close();
  }
}

/** The attempts of the blocks of a chain, from block 1 on. */
export function attemptsIn({ ledger }: ClusterNode): number[] {
  return blocksOf(ledger).map(({ attempt }) => attempt);
}

function blocksOf(ledger: Ledger) {
  const { number } = ledger.blocks.head();
  return Array.from({ length: number }, (_, index) => {
    const block = ledger.blocks.blockByNumber(index + 1);
    if (block === undefined) throw new RangeError(`there is no block ${index + 1}`);
    return block.header;
  });
}

/** Submits a transfer of an account without a turn. */
export function submit({ ledger }: ClusterNode, amount: bigint) {
  const transaction = sign(ledger, [transfer(2, accountAt(3), amount)], KEYS.slice(2, 3));
  return { transaction, ...ledger.pool.submit(transaction) };
}

/** A time whose machine's clock is ahead, or behind. */
class AheadTime extends ManualTime {
  readonly #base: ManualTime;
  readonly #ahead: number;

  constructor(base: ManualTime, ahead: number) {
    super();
    this.#base = base;
    this.#ahead = ahead;
  }

  override now(): number {
    return this.#base.now();
  }

  override wallNow(): number {
    return this.#base.wallNow() + this.#ahead;
  }

  override after(milliseconds: number, callback: () => void): () => void {
    return this.#base.after(milliseconds, callback);
  }

  override every(milliseconds: number, callback: () => void): () => void {
    return this.#base.every(milliseconds, callback);
  }

  override soon(callback: () => void): void {
    this.#base.soon(callback);
  }
}
