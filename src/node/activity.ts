import { type Ledger, producerOf } from '../ledger/index.ts';
import type { LongWork } from '../long-work.ts';
import { formatAccountId, type SignedBlockHeader } from '../protocol/index.ts';
import type { NodeStatus } from '../rpc/index.ts';
import type { Time } from '../time.ts';
import { BlockLogPart } from './block-log/block-log-part.ts';
import type { OpenedBlockLog } from './block-log/opened-block-log.ts';
import { type BlockTimer, startBlockTimer } from './block-timer.ts';
import { ChainWatch } from './chain-watch.ts';
import { ClockWatch } from './clock-watch.ts';
import type { NodeEvents } from './events.ts';
import { type BlockSource, FollowError } from './following/block-source.ts';
import { Follower } from './following/follower.ts';
import { LedgerWork } from './ledger-work.ts';
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
  readonly longWork: LongWork;
  /** Whether blocks are made before each followed node has been heard once. */
  readonly produceWithoutHearing: boolean;
  /** Looks at the free bytes of the node's file system. */
  freeBytes(): number;
  readonly minFreeBytes: number;
  readonly events: NodeEvents;
}

/** Something that keeps a node from making blocks, with a sentence for its operator. */
interface Hindrance {
  readonly kind: 'clock' | 'signedBefore' | 'log' | 'unheard';
  readonly reason: string;
}

/**
 * What a persistent node does by itself: it makes blocks when it is its turn, takes over those of others, and stops
 * writing while there is too little room for it.
 */
export class NodeActivity {
  /** How writing goes. */
  readonly writes: WriteHealth;
  readonly #options: ActivityOptions;
  readonly #space: SpaceWatch;
  readonly #work: LedgerWork;
  /** Undefined where the node's own store says what its blocks are. */
  readonly #log: BlockLogPart | undefined;
  readonly #follower: Follower;
  readonly #clock: ClockWatch;
  readonly #chain: ChainWatch;
  #timer: BlockTimer | undefined;
  #isClosing = false;
  /** Number of the newest block at the start. */
  #startedAt = 0;
  /** What kept the node from making a block the last time. */
  #hindrance: Hindrance['kind'] | undefined;

  /** Looks at the free space; everything else begins with `start`. */
  constructor(options: ActivityOptions) {
    this.#options = options;
    const { ledger, intervalMs, follow, time, longWork, events } = options;
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
      longWork,
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
  }

  /** What the interface tells of the node. */
  get status(): NodeStatus {
    return {
      listening: () => !this.#isClosing,
      peerCount: () => this.#follower.peerCount(),
      syncing: () => this.#follower.syncing() ?? this.#log?.syncing(this.#startedAt),
      mayProduce: () => this.#isHeard() && this.#findHindrance() === undefined,
      blockLog: () => this.#log?.status(),
    };
  }

  /** Number of the newest block that is known, here or elsewhere. */
  newest(): number {
    const { number } = this.#options.ledger.head();
    const inLog = this.#log?.status().head ?? 0;
    return Math.max(number, inLog, this.#follower.syncing()?.highestBlock ?? 0);
  }

  /** What an operator should look after; nothing while all is well. */
  problems(): string[] {
    return [
      ...(this.#space.low ? ['there is too little free space to write blocks'] : []),
      ...this.writes.problems(),
      ...this.#clock.problems(),
      ...this.#waiting(),
      ...this.#chain.problems(),
      ...this.#follower.problems(),
      ...(this.#log?.problems() ?? []),
    ];
  }

  /** Describes what deviates elsewhere, while this node itself is well. */
  warnings(): string[] {
    return [...this.#clock.warnings(), ...this.#follower.warnings(), ...(this.#log?.warnings() ?? [])];
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

  #isPaused(): boolean {
    return this.#space.low || this.#log?.isHalted === true;
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
    const hindrance = this.#findHindrance();
    if (hindrance !== undefined && hindrance.kind !== this.#hindrance) {
      events.onNotice?.({ kind: 'productionWaits', reason: hindrance.reason });
    }
    this.#hindrance = hindrance?.kind;
    return hindrance === undefined && this.#isHeard();
  }

  /** Whether the head is the newest one, as far as the followed nodes say or the operator answers for it. */
  #isHeard(): boolean {
    if (this.#log !== undefined) return this.#log.isCurrent;
    return this.#follower.isUpToDate(this.#options.produceWithoutHearing);
  }

  /** What keeps the node from making blocks, beside too little space and what it is catching up with. */
  #findHindrance(): Hindrance | undefined {
    const { ledger, produceWithoutHearing } = this.#options;
    const clock = this.#clock.hindrance();
    if (clock !== undefined) return { kind: 'clock', reason: clock };
    if (this.#log !== undefined) return this.#findLogHindrance(this.#log);
    const before = ledger.signedBefore();
    if (before.kind === 'missing')
      return { kind: 'signedBefore', reason: describeMissing(ledger, before.last) };
    const [unheard] = produceWithoutHearing ? [] : this.#follower.unheard();
    if (unheard === undefined) return undefined;
    return {
      kind: 'unheard',
      reason:
        `no block is made before each followed node has been heard once: ${unheard.url} does not answer as it ` +
        `should (${unheard.reason}); --produce-without-hearing makes blocks all the same`,
    };
  }

  /**
   * What keeps the node from making blocks though its block log answers and is sound, beside what it has to read first.
   */
  #findLogHindrance(log: BlockLogPart): Hindrance | undefined {
    const { ledger, shared } = this.#options;
    if (!log.isCurrent) {
      const reason = `no block is made before all that the log ${shared?.log.url} has is here`;
      return { kind: 'log', reason };
    }
    const clock = log.clockHindrance();
    if (clock !== undefined) return { kind: 'clock', reason: clock };
    const missing: number[] = [];
    for (const attempt of ledger.nextAttempts()) {
      const before = ledger.signedBefore(attempt);
      if (before.kind !== 'missing') return undefined;
      missing.push(before.last);
    }
    if (missing.length === 0) return undefined;
    return { kind: 'signedBefore', reason: describeMissingInLog(ledger, Math.max(...missing)) };
  }

  /**
   * What keeps a producer from making blocks, but for what is told of anyway: the clock, and a block log that is read.
   */
  #waiting(): string[] {
    if (!this.#options.ledger.holdsProducerKey()) return [];
    const hindrance = this.#findHindrance();
    if (hindrance === undefined || hindrance.kind === 'clock' || hindrance.kind === 'log') return [];
    return [hindrance.reason];
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
        if (this.#log?.isHalted !== true) ledger.resumeWrites();
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

function describeMissing(ledger: Ledger, last: number): string {
  const { number } = ledger.head();
  const producer = formatAccountId(producerOf(ledger.genesis, number + 1));
  return (
    `the key of ${producer} has signed blocks up to ${last}, and the chain here ends at block ${number}: ` +
    'none is made up to there. Follow a node that has them; only where they are lost for good, ' +
    `--sign-again-after ${number} gives them up`
  );
}

function describeMissingInLog(ledger: Ledger, last: number): string {
  const { number } = ledger.head();
  return (
    `keys of this node have signed blocks up to ${last}, and the log ends at block ${number}: with them none is made ` +
    'up to there. Where another node has those blocks, make the log again from its store by "ledgerd log seed"; only ' +
    `where they are lost for good, --sign-again-after ${number} gives them up`
  );
}
