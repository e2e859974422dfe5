import { producerOf } from '../../ledger/index.ts';
import { type AccountId, formatAccountId } from '../../protocol/index.ts';
import { BLOCK_AHEAD_SECONDS_MAX, CLOCK_BEHIND_SECONDS_MAX, CLOCK_SETTLE_MS } from '../clock-watch.ts';
import type { ClusterNode } from './block-log.ts';

/** Bytes of a clock reading. */
const CLOCK_READING_BYTES_MAX = 64;
/** Stored readings of one producer's clock. */
const CLOCK_READINGS_MAX = 16;
/** Milliseconds, beyond a round of slots, that a starting node waits for another's block to compare clocks. */
const START_ROUND_MS_MIN = 2_000;

/**
 * Compares this machine's clock with the times of new blocks of other producers. A block of the future would stay in
 * the log and delay all nodes until its time. Without blocks of others, this machine's clock is trusted after a while.
 */
export class PeerClock {
  readonly #node: ClusterNode;
  /** Moment at which this node first had all blocks of the log. */
  #since: number | undefined;
  /** Time of another producer's newest block that arrived just after it was made, and its arrival. */
  #peer: { readonly timestamp: number; readonly at: number } | undefined;

  constructor(node: ClusterNode) {
    this.#node = node;
  }

  /** Begins the comparison: this node has all blocks of the log. */
  begin(): void {
    this.#since ??= this.#node.time.now();
  }

  /** Records another producer's block that was made just now. */
  recordBlock(timestamp: number): void {
    this.#peer = { timestamp, at: this.#node.time.now() };
  }

  /** Returns the reason for which no block may be made now; undefined without one. */
  productionBlocker(): string | undefined {
    const { ledger, time } = this.#node;
    // A node with the keys of all producers has no other clock.
    if (ledger.miner.keys.nextAttempts().length === ledger.parameters.genesis.producers.length)
      return undefined;
    const atStart = { timestamp: ledger.blocks.head().header.timestamp, at: this.#since ?? time.now() };
    const { timestamp, at } = this.#peer ?? atStart;
    const age = time.now() - at;
    if (age > this.#patienceMs()) return undefined;
    // A head from before the start may be of any age.
    const passed = this.#peer === undefined ? 0 : age;
    const ahead = Math.floor((time.wallNow() - passed) / 1_000) - timestamp;
    if (ahead <= BLOCK_AHEAD_SECONDS_MAX) return undefined;
    return this.#peer === undefined
      ? `the newest block is ${ahead} s old by this machine's clock: this node waits for a block of another producer`
      : `this machine's clock is ${ahead} s ahead of the clocks of other producers, by their newest blocks`;
  }

  #patienceMs(): number {
    if (this.#peer !== undefined) return CLOCK_SETTLE_MS;
    const { ledger, intervalMs } = this.#node;
    const round = (ledger.parameters.genesis.producers.length + 1) * intervalMs;
    return Math.min(CLOCK_SETTLE_MS, round + START_ROUND_MS_MIN);
  }
}

/** Milliseconds between two published readings of a producer's clock. */
const CLOCK_READING_MS = 5_000;

const SECOND_MS = 1_000;
const TOLERANCE_MS = CLOCK_BEHIND_SECONDS_MAX * SECOND_MS;
/** A producer and the Unix milliseconds of its clock. */
const READING = /^(1\.2\.\d+) (\d{1,15})$/;

interface Reading {
  /** Milliseconds by which the producer's clock was ahead of this process's monotonic clock. */
  readonly offset: number;
  /** Arrival of the reading. */
  readonly at: number;
}

/**
 * Compares this machine's clock with the majority of the producers' clocks, by readings that nodes exchange. Block
 * times do not show an error: a block is never older than its parent, so one producer's clock that is ahead moves the
 * times of all further blocks.
 */
export class ProducerClocks {
  readonly #node: ClusterNode;
  readonly #producers: ReadonlySet<AccountId>;
  /** The newest readings of each producer, the oldest first. */
  readonly #readings = new Map<AccountId, Reading[]>();
  #stops: readonly (() => void)[] = [];

  constructor(node: ClusterNode) {
    this.#node = node;
    this.#producers = new Set(node.ledger.parameters.genesis.producers);
  }

  /** Publishes the clocks of this node's producers, and listens to others. */
  start(): void {
    const { clocks, time } = this.#node;
    this.#stops = [
      clocks.onMessage((message) => this.#receive(message)),
      time.every(CLOCK_READING_MS, () => this.#publish()),
    ];
    this.#publish();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Describes the difference between this machine's clock and the majority's; undefined if none is known. */
  problem(): string | undefined {
    const majority = this.#majority();
    if (majority === undefined || Math.abs(majority.offset) <= TOLERANCE_MS) return undefined;
    const { size } = this.#producers;
    const difference = describe(-majority.offset);
    return `this machine's clock is ${difference} those of most producers (${majority.count} of ${size})`;
  }

  /** Describes producers' clocks that differ from the majority's, or from this machine's without a majority. */
  warnings(): string[] {
    const majority = this.#majority();
    const from = majority?.offset ?? 0;
    const than =
      majority === undefined
        ? "this machine's, and no majority of producers shows which is right"
        : 'those of most producers';
    return [...this.#others()].flatMap(([producer, offset]) =>
      Math.abs(offset - from) <= TOLERANCE_MS
        ? []
        : [`the clock of producer ${formatAccountId(producer)} is ${describe(offset - from)} ${than}`],
    );
  }

  /** Returns true if clocks of other producers are known, and no majority contradicts this machine's. */
  excuses(): boolean {
    return this.#others().size > 0 && this.problem() === undefined;
  }

  /** Returns the milliseconds by which the clocks of most producers are ahead of this machine's, if they agree. */
  #majority(): { readonly offset: number; readonly count: number } | undefined {
    const offsets = [...this.#others().values(), ...this.#own().map(() => 0)].sort((a, b) => a - b);
    for (const center of offsets) {
      const near = offsets.filter((offset) => Math.abs(offset - center) <= TOLERANCE_MS);
      const offset = near[Math.floor(near.length / 2)];
      if (offset !== undefined && 2 * near.length > this.#producers.size)
        return { offset, count: near.length };
    }
    return undefined;
  }

  /** Returns the milliseconds by which each other producer's clock is ahead of this machine's, by recent readings. */
  #others(): Map<AccountId, number> {
    const { time } = this.#node;
    const since = time.now() - CLOCK_SETTLE_MS;
    const here = time.wallNow() - time.now();
    const offsets = new Map<AccountId, number>();
    for (const [producer, readings] of this.#readings) {
      const recent = readings.filter(({ at }) => at >= since).map(({ offset }) => offset);
      // A late reading makes a clock seem behind, so the greatest offset arrived fastest.
      if (recent.length > 0) offsets.set(producer, Math.max(...recent) - here);
    }
    return offsets;
  }

  #own(): AccountId[] {
    const { ledger } = this.#node;
    const next = ledger.blocks.head().number + 1;
    const attempts = ledger.miner.keys.nextAttempts();
    return [...new Set(attempts.map((attempt) => producerOf(ledger.parameters.genesis, next, attempt)))];
  }

  #publish(): void {
    const { clocks, time } = this.#node;
    for (const producer of this.#own()) {
      const reading = `${formatAccountId(producer)} ${Math.round(time.wallNow())}`;
      clocks.publish(new TextEncoder().encode(reading));
    }
  }

  /** Records a reading. Ignores a malformed one, and one of another account. */
  #receive(message: Uint8Array): void {
    if (message.length > CLOCK_READING_BYTES_MAX) return;
    const [, name, milliseconds] = READING.exec(new TextDecoder().decode(message)) ?? [];
    const producer = [...this.#producers].find((known) => formatAccountId(known) === name);
    if (producer === undefined || this.#own().includes(producer)) return;
    const at = this.#node.time.now();
    const readings = this.#readings.get(producer) ?? [];
    readings.push({ offset: Number(milliseconds) - at, at });
    if (readings.length > CLOCK_READINGS_MAX) readings.shift();
    this.#readings.set(producer, readings);
  }
}

function describe(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / SECOND_MS);
  return `${seconds} s ${milliseconds > 0 ? 'ahead of' : 'behind'}`;
}
