import { type NextBlockOptions, RefusedError } from '../../ledger/index.ts';
import type { BlockLogStatus, SyncStatus } from '../../rpc/index.ts';
import type { HealthCheck } from '../health.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError, type ClusterNode } from './block-log.ts';
import { BlockLogHealth } from './block-log-health.ts';
import { BlockLogImporter } from './block-log-importer.ts';
import { PeerClock, ProducerClocks } from './producer-clocks.ts';
import { ProductionSchedule } from './production-schedule.ts';
import { TransactionRelay } from './transaction-relay.ts';

/**
 * A node as a member of a cluster: adds the blocks of the log, makes blocks when the node is scheduled and has the log
 * order them, and relays transactions.
 */
export class ClusterMember {
  readonly url: string;
  readonly #node: ClusterNode;
  readonly #health: BlockLogHealth;
  readonly #importer: BlockLogImporter;
  readonly #schedule: ProductionSchedule;
  readonly #peers: PeerClock;
  readonly #clocks: ProducerClocks;
  readonly #relay: TransactionRelay;
  #isClosing = false;

  constructor(node: ClusterNode) {
    this.url = node.log.url;
    this.#node = node;
    this.#health = new BlockLogHealth(node);
    this.#peers = new PeerClock(node);
    this.#clocks = new ProducerClocks(node);
    this.#importer = new BlockLogImporter(node, this.#health, {
      onNew: (timestamp) => this.#peers.recordBlock(timestamp),
      onCurrent: () => {
        this.#peers.begin();
        this.#schedule.resume();
      },
    });
    this.#schedule = new ProductionSchedule(
      node,
      () => this.isCurrent && node.mayProduce(),
      (next) => this.#append(next),
    );
    this.#relay = new TransactionRelay(node);
  }

  /** True if this node has all blocks of the log, and so may make the next one. */
  get isCurrent(): boolean {
    return this.#importer.isCurrent;
  }

  get checks(): readonly HealthCheck[] {
    const clocks: HealthCheck = {
      problems: () => {
        const isProducer = this.#node.ledger.miner.keys.holdsAny();
        const problem = (isProducer ? this.clockBlocker() : undefined) ?? this.#clocks.problem();
        return problem === undefined ? [] : [problem];
      },
      warnings: () => this.#clocks.warnings(),
    };
    return [this.#health, clocks];
  }

  /** Returns the reason for which other producers' clocks prevent a block; undefined without one. */
  clockBlocker(): string | undefined {
    return this.#peers.productionBlocker();
  }

  start(): void {
    this.#importer.start();
    this.#schedule.start();
    this.#relay.start();
    this.#clocks.start();
  }

  /** Schedules the next block again, for a key that this node has now. */
  resume(): void {
    this.#schedule.resume();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#relay.stop();
    this.#clocks.stop();
    this.#schedule.stop();
    await this.#importer.close();
  }

  status(): BlockLogStatus {
    return { ...this.#health.status(), transactions: this.#relay.status() };
  }

  /** Returns true if other producers' clocks show that this machine's is right, although the head is in the future. */
  excusesClock(): boolean {
    return this.#clocks.excuses();
  }

  /** Returns the progress of catching up with the log. The block in flight does not count. */
  syncing(startingBlock: number): SyncStatus | undefined {
    const currentBlock = this.#node.ledger.blocks.head().number;
    const highestBlock = this.#health.head;
    const least = this.isCurrent ? currentBlock + 1 : currentBlock;
    return highestBlock > least ? { startingBlock, currentBlock, highestBlock } : undefined;
  }

  /** Makes a block and appends it to the log. Resolves to true if it was added, and never rejects. */
  async #append(next: NextBlockOptions): Promise<boolean> {
    const { pipeline, log } = this.#node;
    const { appends } = this.#health;
    try {
      const added = await pipeline.append(next, async (block) => {
        const outcome = await log.append(block.number, block.parent, block.bytes);
        appends[outcome === 'appended' ? 'appended' : 'conflicts'] += 1;
        if (outcome === 'appended') this.#health.recordHead(block.number);
        return outcome;
      });
      // Nothing more is made before the other block has arrived.
      if (added === undefined) this.#importer.doubt();
      return added !== undefined;
    } catch (error) {
      // A block that was discarded is no failure.
      if (!(this.#isClosing || error instanceof RefusedError)) this.#handle(error);
      return false;
    }
  }

  #handle(error: unknown): void {
    if (error instanceof BlockLogUnsoundError) this.#health.halt(error.message);
    else if (error instanceof BlockLogUnavailableError) {
      this.#health.appends.unavailable += 1;
      this.#health.recordFailure(error.message);
      this.#importer.doubt();
    } else this.#node.onFailure('block production', error);
  }
}
