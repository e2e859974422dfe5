import type { Ledger } from '../ledger/index.ts';

import type { SignedBlockHeader } from '../protocol/index.ts';
import type { NodeStatus } from '../rpc/index.ts';
import type { CpuBackoff } from '../scheduling/index.ts';
import type { HealthReport } from '../server/index.ts';
import type { Time } from '../time.ts';
import { BlockLogPart } from './block-log/block-log-part.ts';
import type { OpenedBlockLog } from './block-log/block-log-source.ts';
import { type BlockTimer, startBlockTimer } from './block-timer.ts';
import { ChainWatch } from './chain-watch.ts';
import { ClockWatch } from './clock-watch.ts';
import type { NodeEvents } from './events.ts';
import { type BlockSource, FollowError } from './following/block-source.ts';
import { Follower } from './following/follower.ts';
import { HeadLag, type MaxLag } from './head-lag.ts';
import { type HealthCheck, healthReport } from './health.ts';
import { LedgerWork } from './ledger-work.ts';
import { type ProductionBlocker, ProductionBlockers } from './production-blockers.ts';
import { SpaceWatch } from './space-watch.ts';
import { WriteHealth } from './write-health.ts';

/**
 * What keeps a running node going by itself: what it reads and makes blocks of, and what may hold that up.
 */
export interface ActivityOptions {
  readonly ledger: Ledger;
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
  /** The blocks of the nodes to follow. */
  readonly follow: readonly BlockSource[];
  /** What the node shares with the others of its cluster; absent: its own store is its order of blocks. */
  readonly shared?: OpenedBlockLog | undefined;
  /** The one that the ledger has. */
  readonly time: Time;
  readonly backoff: CpuBackoff;
  /** Whether blocks are made before each followed node has been heard once. */
  readonly produceWithoutHearing: boolean;
  /** Looks at the free bytes of the node's file system. */
  freeBytes(): number;
  readonly minFreeBytes: number;
  /** How far the head may be behind; absent: as far as it likes. */
  readonly maxLag?: MaxLag | undefined;
  readonly events: NodeEvents;
}

/**
 * What a persistent node does by itself: it makes blocks when it is its turn, takes over those of others, and stops
 * writing while there is too little room for it.
 */
export class NodeActivity {
  /** How writing goes. */
  readonly writes: WriteHealth;
  /** How far the node is behind the newest known block. */
  readonly headLag: HeadLag;
  readonly #options: ActivityOptions;
  readonly #space: SpaceWatch;
  readonly #work: LedgerWork;
  /** Undefined where the node's own store says what its blocks are. */
  readonly #log: BlockLogPart | undefined;
  readonly #follower: Follower;
  readonly #clock: ClockWatch;
  readonly #chain: ChainWatch;
  readonly #blockers: ProductionBlockers;
  /** Every concern of the node that its operator watches, in the order of the reports. */
  readonly #checks: readonly HealthCheck[];
  #timer: BlockTimer | undefined;
  #isClosing = false;
  /** Number of the newest block at the start. */
  #startedAt = 0;
  /** What kept the node from making a block the last time. */
  #blocker: ProductionBlocker['kind'] | undefined;

  /** Looks at the free space; everything else begins with `start`. */
  constructor(options: ActivityOptions) {
    this.#options = options;
    const { ledger, intervalMs, follow, time, backoff, events } = options;
    this.writes = new WriteHealth(ledger, events);
    this.#space = this.#watchSpace();
    this.#clock = new ClockWatch({
      time,
      headTime: () => ledger.head().header.timestamp,
      isExcused: () => this.#log?.excusesClock() === true,
    });
    this.#chain = new ChainWatch(ledger, intervalMs, time);
    this.#work = new LedgerWork({
      ledger,
      time,
      backoff,
      intervalMs,
      onFailure: (error) => this.#fail('pending transactions', error),
    });
    this.#follower = new Follower({
      ledger: {
        head: () => ledger.head(),
        blockByNumber: (number) => ledger.blockByNumber(number),
        checkNextHeader: (header) => this.#checkFollowed(header),
        now: () => ledger.now(),
        onForgotten: (listener) => ledger.onForgotten(listener),
        importBlock: (block) => this.#work.importBlock(block),
        whenIdle: () => this.#work.whenIdle(),
      },
      sources: follow,
      time,
      intervalMs,
      isPaused: () => this.#isPaused() || !this.#mayFollow(),
      onNotice: (notice) => events.onNotice?.(notice),
      onFailure: (error) => this.#fail('following', error),
    });
    this.#log = this.#joinCluster();
    this.headLag = new HeadLag({
      head: () => ({ number: ledger.head().number, timestamp: ledger.head().header.timestamp }),
      newest: () => this.#newest(),
      now: () => ledger.now(),
      max: options.maxLag,
    });
    this.#blockers = new ProductionBlockers({
      ...{ ledger, clock: this.#clock, follower: this.#follower, log: this.#log },
      produceWithoutHearing: options.produceWithoutHearing,
    });
    this.#checks = [
      ...[this.#space, this.writes, this.#clock, this.#blockers, this.#chain, this.#follower],
      ...(this.#log?.checks ?? []),
      this.headLag,
    ];
  }

  /** What the interface tells of the node. */
  get status(): NodeStatus {
    return {
      listening: () => !this.#isClosing,
      peerCount: () => this.#follower.peerCount(),
      syncing: () => this.#follower.syncing() ?? this.#log?.syncing(this.#startedAt),
      mayProduce: () => this.#isHeard() && this.#blockers.find() === undefined,
      blockLog: () => this.#log?.status(),
    };
  }

  /** Reports what all checks find. */
  health(): HealthReport {
    return healthReport(this.#checks, this.#options.ledger);
  }

  /** Begins to make blocks, to follow and to mind the free space. */
  start(): void {
    this.#startedAt = this.#options.ledger.head().number;
    this.#space.start();
    this.#clock.start();
    this.#work.start();
    this.#follower.start();
    if (this.#log === undefined) this.#timer = this.#startTimer();
    else this.#log.start();
  }

  #startTimer(): BlockTimer {
    const { ledger, intervalMs, time } = this.#options;
    return startBlockTimer({
      ledger,
      mine: () => this.#work.mine(),
      time,
      intervalMs,
      mayProduce: () => this.#mayProduce(),
      onFailure: (error) => this.#fail('block production', error),
    });
  }

  /** Ends everything; a block that is on its way is given up. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#timer?.stop();
    this.#work.close();
    this.#space.stop();
    this.#clock.stop();
    this.#chain.stop();
    await Promise.all([this.#follower.close(), this.#log?.close()]);
  }

  #joinCluster(): BlockLogPart | undefined {
    const { ledger, shared, intervalMs, time, events } = this.#options;
    if (shared === undefined) return undefined;
    return new BlockLogPart({
      ...shared,
      ...{ ledger, work: this.#work, intervalMs, time, events },
      mayProduce: () => this.#mayProduce(),
      isPaused: () => this.#isPaused(),
      onFailure: (task, error) => this.#fail(task, error),
    });
  }

  /** Number of the newest block that is known, here or elsewhere. */
  #newest(): number {
    const { number } = this.#options.ledger.head();
    const inLog = this.#log?.status().head ?? 0;
    return Math.max(number, inLog, this.#follower.syncing()?.highestBlock ?? 0);
  }

  #isPaused(): boolean {
    return this.#checks.some(({ isHalting }) => isHalting);
  }

  /** With a block log, blocks of followed nodes are of use only where that has them. */
  #mayFollow(): boolean {
    const log = this.#log?.status();
    return log === undefined || this.#options.ledger.head().number < log.head;
  }

  #checkFollowed(header: SignedBlockHeader): void {
    if (!this.#mayFollow()) throw new FollowError(`the log does not have its block ${header.round} yet`);
    this.#options.ledger.checkNextHeader(header);
  }

  /** Whether a block may be made at this moment; what stands in the way is told of once. */
  #mayProduce(): boolean {
    const { ledger, events } = this.#options;
    if (this.#isPaused() || ledger.isAddingBlock()) return false;
    if (this.#log === undefined && !ledger.isMyTurn()) return false;
    const blocker = this.#blockers.find();
    if (blocker !== undefined && blocker.kind !== this.#blocker) {
      events.onNotice?.({ kind: 'productionWaits', reason: blocker.reason });
    }
    this.#blocker = blocker?.kind;
    return blocker === undefined && this.#isHeard();
  }

  /** Whether the head is the newest one, as far as the followed nodes say or the operator answers for it. */
  #isHeard(): boolean {
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
        ledger.pauseWrites('this node has too little free space');
        ledger.stopMining();
        const reason = `${free} bytes are free, and at least ${minFreeBytes} have to be`;
        events.onNotice?.({ kind: 'productionPaused', reason });
      },
      onEnough: () => {
        ledger.startMining();
        if (!this.#isPaused()) ledger.resumeWrites();
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
