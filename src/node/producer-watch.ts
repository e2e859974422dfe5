import { type Ledger, producerOf } from '../ledger/index.ts';
import {
  type AccountId,
  equalBytes,
  formatAccountId,
  formatPublicKey,
  messageOf,
  type PublicKey,
} from '../protocol/index.ts';
import type { Time } from '../time/time.ts';
import { overdueMsMax, overdueProblems } from './block-timer.ts';
import type { NodeEvents } from './events.ts';
import type { HealthCheck } from './health.ts';
import { KeyFileError } from './node-errors.ts';
import { describeNotice } from './notices.ts';

/** Milliseconds between two looks for an overdue block, and for the file of a missing key. */
const CHECK_MS = 5_000;

/** The key files of a node's producers. */
export interface ProducerKeyFiles {
  /** Producers with a key file at the start. */
  readonly producers: readonly AccountId[];
  readonly folder: string;
  /** Makes the ledger sign with a consensus key. Returns false if no file has it. @throws KeyFileError */
  load(key: PublicKey): boolean;
}

export interface ProducerWatchOptions {
  readonly ledger: Ledger;
  readonly intervalMs: number;
  readonly time: Pick<Time, 'now' | 'every'>;
  readonly events: Pick<NodeEvents, 'onNotice'>;
  /** Absent: the keys that the ledger was opened with are all. */
  readonly keyFiles?: ProducerKeyFiles | undefined;
  /** Returns true if blocks of other nodes arrive here, and this node has all of them. */
  isCurrent(): boolean;
  /** Called after a key was loaded. */
  onKeyLoaded(): void;
}

/**
 * Watches the producers of a chain: loads the key that the chain names for a producer of this node, and reports a
 * producer that lacks its key, one without a block in its turn, and a chain without progress.
 */
export class ProducerWatch implements HealthCheck {
  readonly #options: ProducerWatchOptions;
  /** The consensus keys of this node's producers at the last check. */
  readonly #keys = new Map<AccountId, PublicKey>();
  /** Producers of this node without their key, and the problem. */
  readonly #keyless = new Map<AccountId, string>();
  /** Producers without a block in their last turn, and the number of that block. */
  readonly #silent = new Map<AccountId, number>();
  /** The silent producers that were reported. */
  readonly #reported = new Set<AccountId>();
  readonly #stops: (() => void)[];
  #since: number;

  /** Listens to the chain. Checks by time, and of the keys at the start, begin with `start`. */
  constructor(options: ProducerWatchOptions) {
    const { ledger, time, intervalMs } = options;
    this.#options = options;
    this.#since = time.now();
    this.#stops = [
      ledger.chain.onBlock(({ number, header: { attempt, account, timestamp } }) => {
        this.#since = time.now();
        this.#checkKeys(false);
        for (let skipped = 0; skipped < attempt; skipped += 1) {
          this.#silent.set(producerOf(ledger.parameters.genesis, number, skipped), number);
        }
        this.#silent.delete(account);
        // A node that catches up does not report what is long over.
        if ((ledger.clock.now() - timestamp) * 1_000 <= overdueMsMax(intervalMs)) this.#report(number);
      }),
      ledger.history.onReorg(() => {
        this.#since = time.now();
        this.#checkKeys(false);
        this.#silent.clear();
      }),
    ];
  }

  start(): void {
    this.#checkKeys(false);
    this.#stops.push(
      this.#options.time.every(CHECK_MS, () => {
        this.#checkKeys(true);
        this.#checkProgress();
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Lists all producers, and if each is missing: without its key here, or without a block in its last turn. */
  list(): (readonly [producer: AccountId, isMissing: boolean])[] {
    const { producers } = this.#options.ledger.parameters.genesis;
    return producers.map((producer) => [producer, this.#keyless.has(producer) || this.#silent.has(producer)]);
  }

  problems(): string[] {
    const overdueMs = this.#overdueMs();
    const late = overdueProblems({ intervalMs: this.#options.intervalMs, overdueMs: () => overdueMs });
    const other = this.#nextOfOthers();
    if (late.length === 0 || other === undefined) return [...this.#keyless.values(), ...late];
    const seconds = Math.floor(overdueMs / 1_000);
    return [
      ...this.#keyless.values(),
      `block ${other.number}, for which ${formatAccountId(other.producer)} is scheduled, should have arrived ` +
        `${seconds} s ago`,
    ];
  }

  warnings(): string[] {
    const { number: head } = this.#options.ledger.blocks.head();
    // Of a block that nobody has made yet, the problems tell.
    return [...this.#silent].flatMap(([producer, number]) =>
      number > head ? [] : [describeNotice({ kind: 'producerMissing', producer, number }).message],
    );
  }

  #overdueMs(): number {
    const { time, intervalMs } = this.#options;
    return time.now() - this.#since - intervalMs;
  }

  /** Returns the next block and its producer, if this node does not hold that key. */
  #nextOfOthers() {
    const { miner, blocks, parameters } = this.#options.ledger;
    if (miner.keys.holdsNext()) return undefined;
    const number = blocks.head().number + 1;
    return { number, producer: producerOf(parameters.genesis, number) };
  }

  #checkProgress(): void {
    const { intervalMs, isCurrent } = this.#options;
    if (this.#overdueMs() <= overdueMsMax(intervalMs) || !isCurrent()) return;
    const other = this.#nextOfOthers();
    if (other === undefined || this.#keyless.has(other.producer)) return;
    this.#silent.set(other.producer, other.number);
    this.#report(other.number);
  }

  /** @param number the block of producers that returned */
  #report(number: number): void {
    const { events } = this.#options;
    for (const [producer, missed] of this.#silent) {
      if (this.#reported.has(producer)) continue;
      this.#reported.add(producer);
      events.onNotice?.({ kind: 'producerMissing', producer, number: missed });
    }
    for (const producer of this.#reported) {
      if (this.#silent.has(producer)) continue;
      this.#reported.delete(producer);
      events.onNotice?.({ kind: 'producerReturned', producer, number });
    }
  }

  /** @param retries true to look again for the files of missing keys */
  #checkKeys(retries: boolean): void {
    const { ledger, keyFiles, events, onKeyLoaded } = this.#options;
    for (const producer of keyFiles?.producers ?? []) {
      const key = ledger.accounts.account(producer)?.echorandKey;
      const before = this.#keys.get(producer);
      if (key === undefined) continue;
      const isNew = before === undefined || !equalBytes(before, key);
      if (!isNew && !(retries && this.#keyless.has(producer))) continue;
      this.#keys.set(producer, key);
      const problem = this.#load(producer, key);
      if (problem === undefined) {
        this.#keyless.delete(producer);
        if (before === undefined) continue;
        events.onNotice?.({ kind: 'producerKeyChanged', producer, key });
        onKeyLoaded();
      } else if (problem !== this.#keyless.get(producer)) {
        this.#keyless.set(producer, problem);
        events.onNotice?.({ kind: 'producerKeyMissing', producer, reason: problem });
      }
    }
  }

  /** Loads the key of a producer, unless the ledger has it. Returns the problem if there is one. */
  #load(producer: AccountId, key: PublicKey): string | undefined {
    const { ledger, keyFiles } = this.#options;
    const account = formatAccountId(producer);
    const without = (reason: string): string =>
      `the chain has the consensus key ${formatPublicKey(key)} for ${account}, ${reason}: this node makes no block ` +
      `of ${account} without it`;
    if (keyFiles === undefined || ledger.miner.keys.signerOf(key) !== undefined) return undefined;
    try {
      return keyFiles.load(key) ? undefined : without(`and no file in ${keyFiles.folder} has it`);
    } catch (error) {
      if (!(error instanceof KeyFileError)) throw error;
      return without(`which cannot be loaded (${messageOf(error)})`);
    }
  }
}
