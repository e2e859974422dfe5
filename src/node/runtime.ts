import type { Ledger } from '../ledger/index.ts';
import type { SignedBlockHeader } from '../protocol/index.ts';
import type { NodeStatus } from '../rpc/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import type { HealthReport } from '../server/index.ts';
import type { Time } from '../time/time.ts';
import type { OpenedBlockLog } from './block-log/block-log.ts';
import { isResponding } from './block-log/block-log-health.ts';
import { ClusterMember } from './block-log/cluster-member.ts';
import { BlockPipeline } from './block-pipeline.ts';
import { type BlockTimer, startBlockTimer } from './block-timer.ts';
import { ClockWatch } from './clock-watch.ts';
import type { NodeConfiguration } from './configuration.ts';
import type { NodeEvents } from './events.ts';
import { type BlockSource, FollowError } from './following/block-source.ts';
import { Follower } from './following/follower.ts';
import { HeadLag, type HealthCheck, healthReport } from './health.ts';
import { type ProducerKeyFiles, ProducerWatch } from './producer-watch.ts';
import { type ProductionBlocker, productionBlockers } from './production-blockers.ts';
import { SpaceWatch } from './space-watch.ts';
import { WriteHealth } from './write-health.ts';

export interface NodeRuntimeOptions
  extends Pick<NodeConfiguration, 'produceWithoutHearing' | 'minFreeBytes' | 'maxLag'> {
  readonly ledger: Ledger;
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
  readonly follow: readonly BlockSource[];
  /** The block log of the cluster; absent: the node's own store orders its blocks. */
  readonly blockLog?: OpenedBlockLog | undefined;
  readonly time: Time;
  readonly backoff: CpuBackoff;
  /** Absent: the keys that the ledger was opened with are all. */
  readonly keyFiles?: ProducerKeyFiles | undefined;
  /** Returns the free bytes of the node's file system. */
  freeBytes(): number;
  readonly events: NodeEvents;
}

/**
 * The background tasks of a persistent node: makes blocks when scheduled, adds blocks of other nodes, and pauses writes
 * while disk space is low.
 */
export class NodeRuntime {
  readonly writes: WriteHealth;
  readonly headLag: HeadLag;
  readonly producers: ProducerWatch;
  readonly #options: NodeRuntimeOptions;
  readonly #space: SpaceWatch;
  readonly #pipeline: BlockPipeline;
  readonly #log: ClusterMember | undefined;
  readonly #follower: Follower;
  readonly #clock: ClockWatch;
  readonly #blockers: ReturnType<typeof productionBlockers>;
  /** All checks, in the order of the reports. */
  readonly #checks: readonly HealthCheck[];
  #timer: BlockTimer | undefined;
  #isClosing = false;
  #startedAt = 0;
  /** The blocker at the last attempt to make a block. */
  #blocker: ProductionBlocker['kind'] | undefined;

  /** Checks the free space. Everything else begins with `start`. */
  constructor(options: NodeRuntimeOptions) {
    this.#options = options;
    const { ledger, intervalMs, follow, time, backoff, events } = options;
    this.writes = new WriteHealth(ledger.chain, events);
    this.#space = this.#watchSpace();
    this.#clock = new ClockWatch({
      time,
      headTime: () => ledger.blocks.head().header.timestamp,
      isExcused: () => this.#log?.excusesClock() === true,
    });
    // Before the parts that schedule the next block, which the new key may sign.
    this.producers = new ProducerWatch({
      ledger,
      intervalMs,
      time,
      events,
      keyFiles: options.keyFiles,
      isCurrent: () => {
        const isHearing =
          this.#log === undefined ? this.#follower.peerCount() > 0 : isResponding(this.#log.status());
        return isHearing && this.status.syncing() === undefined;
      },
      onKeyLoaded: () => this.#log?.resume(),
    });
    this.#pipeline = new BlockPipeline({
      ledger,
      time,
      backoff,
      intervalMs,
      onFailure: (error) => this.#fail('pending transactions', error),
    });
    this.#follower = new Follower({
      ledger,
      pipeline: this.#pipeline,
      sources: follow,
      time,
      intervalMs,
      checkHeader: (header) => this.#checkFollowed(header),
      isPaused: () => this.#isPaused() || !this.#mayFollow(),
      onNotice: (notice) => events.onNotice?.(notice),
      onFailure: (error) => this.#fail('following', error),
    });
    this.#log =
      options.blockLog &&
      new ClusterMember({
        ...options.blockLog,
        ledger,
        pipeline: this.#pipeline,
        intervalMs,
        time,
        events,
        mayProduce: () => this.#mayProduce(),
        isPaused: () => this.#isPaused(),
        onFailure: (task, error) => this.#fail(task, error),
      });
    this.headLag = new HeadLag(ledger, () => this.#newest(), options.maxLag);
    const { produceWithoutHearing } = options;
    this.#blockers = productionBlockers(
      ledger,
      this.#clock,
      this.#follower,
      this.#log,
      produceWithoutHearing,
    );
    this.#checks = [
      this.#space,
      this.writes,
      this.#clock,
      this.#blockers,
      this.producers,
      this.#follower,
      ...(this.#log?.checks ?? []),
      this.headLag,
    ];
  }

  get status(): NodeStatus {
    return {
      listening: () => !this.#isClosing,
      peerCount: () => this.#follower.peerCount(),
      syncing: () => this.#follower.syncing() ?? this.#log?.syncing(this.#startedAt),
      mayProduce: () => this.#isHeadNewest() && this.#blockers.find() === undefined,
      blockLog: () => this.#log?.status(),
    };
  }

  health(): HealthReport {
    return healthReport(this.#checks, this.#options.ledger);
  }

  start(): void {
    const { ledger, intervalMs, time } = this.#options;
    this.#startedAt = ledger.blocks.head().number;
    this.#space.start();
    this.#clock.start();
    this.producers.start();
    this.#pipeline.start();
    this.#follower.start();
    this.#log?.start();
    if (this.#log !== undefined) return;
    this.#timer = startBlockTimer({
      ledger,
      time,
      intervalMs,
      mine: () => this.#pipeline.mine(),
      mayProduce: () => this.#mayProduce(),
      onFailure: (error) => this.#fail('block production', error),
    });
  }

  /** Stops everything; a block in flight is discarded. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#timer?.stop();
    this.#pipeline.close();
    this.#space.stop();
    this.#clock.stop();
    this.producers.stop();
    await Promise.all([this.#follower.close(), this.#log?.close()]);
  }

  /** Returns the number of the newest known block of any node. */
  #newest(): number {
    const { number } = this.#options.ledger.blocks.head();
    const inLog = this.#log?.status().head ?? 0;
    return Math.max(number, inLog, this.#follower.syncing()?.highestBlock ?? 0);
  }

  #isPaused(): boolean {
    return this.#checks.some(({ isHalting }) => isHalting);
  }

  /** Returns true if blocks of followed nodes may be added: with a block log, only blocks that it has. */
  #mayFollow(): boolean {
    const log = this.#log?.status();
    return log === undefined || this.#options.ledger.blocks.head().number < log.head;
  }

  #checkFollowed(header: SignedBlockHeader): void {
    if (!this.#mayFollow())
      throw new FollowError(`the block log does not have its block ${header.round} yet`);
    this.#options.ledger.chain.checkNextHeader(header);
  }

  /** Returns true if a block may be made now. Reports each blocker once. */
  #mayProduce(): boolean {
    const { ledger, events } = this.#options;
    if (this.#isPaused() || ledger.chain.isAddingBlock()) return false;
    if (this.#log === undefined && !ledger.miner.keys.holdsNext()) return false;
    const blocker = this.#blockers.find();
    if (blocker !== undefined && blocker.kind !== this.#blocker) {
      events.onNotice?.({ kind: 'productionWaits', reason: blocker.reason });
    }
    this.#blocker = blocker?.kind;
    return blocker === undefined && this.#isHeadNewest();
  }

  /** Returns true if the head is the newest one, as other nodes report or the operator asserts. */
  #isHeadNewest(): boolean {
    if (this.#log !== undefined) return this.#log.isCurrent;
    return this.#follower.isUpToDate(this.#options.produceWithoutHearing);
  }

  #watchSpace(): SpaceWatch {
    const { ledger, freeBytes, minFreeBytes, time, events } = this.#options;
    return new SpaceWatch({
      time,
      freeBytes,
      minFreeBytes,
      onLow: (free) => {
        ledger.chain.pauseWrites('this node has too little free space');
        ledger.miner.stopMining();
        const reason = `${free} bytes of disk space are free, and at least ${minFreeBytes} are required`;
        events.onNotice?.({ kind: 'productionPaused', reason });
      },
      onEnough: () => {
        ledger.miner.startMining();
        if (!this.#isPaused()) ledger.chain.resumeWrites();
        events.onNotice?.({ kind: 'productionResumed' });
      },
      onFailure: (error) => events.onInternalFailure?.('free space', error),
    });
  }

  #fail(task: string, error: unknown): void {
    this.writes.note(error);
    this.#options.events.onInternalFailure?.(task, error);
  }
}
