import type { Ledger } from '../ledger/index.ts';
import type { NodeStatus } from '../rpc/index.ts';
import { type BlockTimer, overdueProblems, startBlockTimer } from './block-timer.ts';
import type { NodeEvents } from './events.ts';
import { Follower } from './following/follower.ts';
import { SpaceWatch } from './space-watch.ts';
import { WriteHealth } from './write-health.ts';

/** What the activity of a node works with. */
export interface ActivityOptions {
  readonly ledger: Ledger;
  /** Milliseconds from one block of the chain to the next. */
  readonly intervalMs: number;
  /** URLs of the nodes to follow. */
  readonly follow: readonly string[];
  /** Looks at the free bytes of the node's file system. */
  freeBytes(): number;
  readonly minFreeBytes: number;
  readonly events: NodeEvents;
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
  readonly #follower: Follower;
  #timer: BlockTimer | undefined;
  #isClosing = false;

  /** Looks at the free space; everything else begins with `start`. */
  constructor(options: ActivityOptions) {
    this.#options = options;
    const { ledger, intervalMs, follow, events } = options;
    this.writes = new WriteHealth(ledger);
    this.#space = this.#watchSpace();
    this.#follower = new Follower({
      ledger,
      urls: follow,
      intervalMs,
      isPaused: () => this.#space.low,
      onNotice: (notice) => events.onNotice?.(notice),
      onFailure: (error) => this.#fail('following', error),
    });
  }

  /** What the interface tells of the node. */
  get status(): NodeStatus {
    return {
      listening: () => !this.#isClosing,
      peerCount: () => this.#follower.peerCount(),
      syncing: () => this.#follower.syncing(),
    };
  }

  /** What an operator should look after; nothing while all is well. */
  problems(): string[] {
    return [
      ...(this.#space.low ? ['there is too little free space to write blocks'] : []),
      ...this.writes.problems(),
      ...overdueProblems(this.#timer),
      ...this.#follower.problems(),
    ];
  }

  /** Begins to make blocks, to follow and to mind the free space. */
  start(): void {
    const { ledger, intervalMs } = this.#options;
    this.#space.start();
    this.#follower.start();
    this.#timer = startBlockTimer({
      ledger,
      intervalMs,
      mayProduce: () => !this.#space.low && ledger.isMyTurn() && this.#follower.isUpToDate(),
      onFailure: (error) => this.#fail('block production', error),
    });
  }

  /** Ends everything, and waits for a block that is being stored. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#timer?.stop();
    this.#space.stop();
    await this.#follower.close();
  }

  #watchSpace(): SpaceWatch {
    const { ledger, freeBytes, minFreeBytes, events } = this.#options;
    return new SpaceWatch({
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
        ledger.resumeWrites();
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
