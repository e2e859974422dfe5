import type { BlockSummary } from '../../ledger/index.ts';
import type { BlockLogStatus, SyncStatus } from '../../rpc/index.ts';
import type { HealthCheck } from '../health.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from './block-log.ts';
import { BlockLogHealth } from './block-log-health.ts';
import { BlockLogImporter } from './block-log-importer.ts';
import type { ClusterNode } from './block-log-source.ts';
import { PeerClock, ProducerClocks } from './producer-clocks.ts';
import { ProductionSchedule, type Turn } from './production-schedule.ts';
import { TransactionRelay } from './transaction-relay.ts';

/**
 * A node's part in a cluster: adds the blocks of the log, makes blocks when the node is scheduled and has the log order
 * them, and relays transactions.
 */
export class ClusterMember {
  readonly #node: ClusterNode;
  readonly #watch: BlockLogHealth;
  readonly #reading: BlockLogImporter;
  readonly #turns: ProductionSchedule;
  readonly #peers: PeerClock;
  readonly #clocks: ProducerClocks;
  readonly #relay: TransactionRelay;
  #isClosing = false;

  constructor(node: ClusterNode) {
    this.#node = node;
    this.#watch = new BlockLogHealth(node);
    this.#peers = new PeerClock(node);
    this.#clocks = new ProducerClocks(node);
    this.#reading = new BlockLogImporter(node, this.#watch, {
      onNew: (timestamp) => this.#peers.heard(timestamp),
      onCurrent: () => {
        this.#peers.current();
        this.#turns.resume();
      },
    });
    this.#turns = new ProductionSchedule(node, {
      mayProduce: () => this.#reading.isCurrent && node.mayProduce(),
      append: (turn) => this.#append(turn),
      onFailure: (error) => this.#failed(error),
    });
    this.#relay = new TransactionRelay(node);
  }

  get url(): string {
    return this.#node.log.url;
  }

  /** True if this node has all that the log has, and so may make the next block. */
  get isCurrent(): boolean {
    return this.#reading.isCurrent;
  }

  get checks(): readonly HealthCheck[] {
    const clocks: HealthCheck = {
      problems: () => {
        const productionBlocker = this.#node.ledger.production.keys.holdsAny()
          ? this.clockBlocker()
          : undefined;
        const problem = productionBlocker ?? this.#clocks.problem();
        return problem === undefined ? [] : [problem];
      },
      warnings: () => this.#clocks.warnings(),
    };
    return [this.#watch, clocks];
  }

  /** Returns why other producers' clocks keep the node from making a block; undefined when they do not. */
  clockBlocker(): string | undefined {
    return this.#peers.productionBlocker();
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
    const currentBlock = this.#node.ledger.blocks.head().number;
    const highestBlock = this.#watch.head;
    const least = this.#reading.isCurrent ? currentBlock + 1 : currentBlock;
    return highestBlock > least ? { startingBlock, currentBlock, highestBlock } : undefined;
  }

  async #append(turn: Turn): Promise<BlockSummary | undefined> {
    const { work, log } = this.#node;
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
    } else this.#node.onFailure('block production', error);
  }
}
