import type { BlockSummary, Ledger } from '../../ledger/index.ts';
import type { BlockLogStatus, SyncStatus } from '../../rpc/index.ts';
import type { Time } from '../../time.ts';
import type { NodeEvents } from '../events.ts';
import type { HealthCheck } from '../health.ts';
import type { LedgerWork } from '../ledger-work.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from './block-log.ts';
import { BlockLogReading } from './block-log-reading.ts';
import type { OpenedBlockLog } from './block-log-source.ts';
import { BlockLogTurns, type Turn } from './block-log-turns.ts';
import { BlockLogWatch } from './block-log-watch.ts';
import { PeerClock } from './peer-clock.ts';
import { ProducerClocks } from './producer-clocks.ts';
import { TransactionRelay } from './transaction-relay.ts';

/** The log, the ledger of the node, and its listeners. */
export interface BlockLogPartOptions extends OpenedBlockLog {
  readonly ledger: Ledger;
  readonly work: LedgerWork;
  readonly time: Time;
  readonly intervalMs: number;
  readonly events: Pick<NodeEvents, 'onNotice'>;
  /** True if only the log may keep the node from making a block. */
  mayProduce(): boolean;
  /** True while no block can be added. */
  isPaused(): boolean;
  onFailure(task: string, error: unknown): void;
}

/**
 * A node's part in a cluster: adds the blocks of the log, makes blocks when the node is scheduled and has the log order
 * them, and relays transactions.
 */
export class BlockLogPart {
  readonly #options: BlockLogPartOptions;
  readonly #watch: BlockLogWatch;
  readonly #reading: BlockLogReading;
  readonly #turns: BlockLogTurns;
  readonly #peers: PeerClock;
  readonly #clocks: ProducerClocks;
  readonly #relay: TransactionRelay;
  #isClosing = false;

  constructor(options: BlockLogPartOptions) {
    this.#options = options;
    const { ledger, work, log, exchange, clocks, time, intervalMs, events, isPaused, mayProduce, onFailure } =
      options;
    this.#watch = new BlockLogWatch({
      url: log.url,
      time,
      head: () => ledger.blocks.head().number,
      elections: () => log.elections,
      onNotice: (notice) => events.onNotice?.(notice),
      onHalt: () => ledger.chain.pauseWrites('this node does not trust its log of blocks'),
    });
    this.#peers = new PeerClock({ ledger, time, intervalMs });
    this.#clocks = new ProducerClocks({ ledger, exchange: clocks, time });
    this.#reading = new BlockLogReading({
      ...{ ledger, log, work, time, intervalMs, isPaused },
      watch: this.#watch,
      onNew: (timestamp) => this.#peers.heard(timestamp),
      onCurrent: () => {
        this.#peers.current();
        this.#turns.resume();
      },
      onFailure: (error) => onFailure('the log of blocks', error),
    });
    this.#turns = new BlockLogTurns({
      ...{ ledger, time, intervalMs },
      mayProduce: () => this.#reading.isCurrent && mayProduce(),
      append: (turn) => this.#append(turn),
      onFailure: (error) => this.#failed(error),
    });
    this.#relay = new TransactionRelay({
      ...{ ledger, exchange, time },
      onFailure: (error) => onFailure('transactions of other nodes', error),
    });
  }

  get url(): string {
    return this.#options.log.url;
  }

  /** True if this node has all that the log has, and so may make the next block. */
  get isCurrent(): boolean {
    return this.#reading.isCurrent;
  }

  get checks(): readonly HealthCheck[] {
    const clocks: HealthCheck = {
      problems: () => {
        const hindrance = this.#options.ledger.production.keys.holdsAny() ? this.clockHindrance() : undefined;
        const problem = hindrance ?? this.#clocks.problem();
        return problem === undefined ? [] : [problem];
      },
      warnings: () => this.#clocks.warnings(),
    };
    return [this.#watch, clocks];
  }

  /** Returns why other producers' clocks keep the node from making a block; undefined when they do not. */
  clockHindrance(): string | undefined {
    return this.#peers.hindrance();
  }

  start(): void {
    this.#reading.start();
    this.#turns.start();
    this.#relay.start();
    this.#clocks.start();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#relay.stop();
    this.#clocks.stop();
    this.#turns.stop();
    await this.#reading.close();
  }

  status(): BlockLogStatus {
    return { ...this.#watch.status(), transactions: this.#relay.status() };
  }

  /** Returns true if other producers' clocks show that a head in the future is not this machine's fault. */
  excusesClock(): boolean {
    return this.#clocks.excuses();
  }

  /** Returns how far the node has caught up with the log; the block in flight does not count. */
  syncing(startingBlock: number): SyncStatus | undefined {
    const currentBlock = this.#options.ledger.blocks.head().number;
    const highestBlock = this.#watch.head;
    const least = this.#reading.isCurrent ? currentBlock + 1 : currentBlock;
    return highestBlock > least ? { startingBlock, currentBlock, highestBlock } : undefined;
  }

  async #append(turn: Turn): Promise<BlockSummary | undefined> {
    const { work, log } = this.#options;
    const { appends } = this.#watch;
    const added = await work.append(turn, async (block) => {
      const outcome = await log.append(block.number, block.parent, block.bytes);
      appends[outcome === 'appended' ? 'appended' : 'conflicts'] += 1;
      if (outcome === 'appended') this.#watch.answered(block.number);
      return outcome;
    });
    // Nothing more is made before the other block has arrived.
    if (added === undefined) this.#reading.doubt();
    return added;
  }

  #failed(error: unknown): void {
    if (this.#isClosing) return;
    if (error instanceof BlockLogUnsoundError) this.#watch.halt(error.message);
    else if (error instanceof BlockLogUnavailableError) {
      this.#watch.appends.unavailable += 1;
      this.#watch.failed(error.message);
      this.#reading.doubt();
    } else this.#options.onFailure('block production', error);
  }
}
