import type { Ledger } from '../../ledger/index.ts';
import type { Hash } from '../../protocol/index.ts';

/**
 * The hashes of the operations that the ledger accepted lately, one journal for all who read it.
 *
 * It listens only while somebody reads it, and keeps no more than what the slowest reader has not read, up to
 * twice `hashesMax`: who is further behind than `hashesMax` is told a number, not the hashes.
 */
export class AcceptedJournal {
  readonly #ledger: Ledger;
  readonly #hashesMax: number;
  readonly #beforeAppend: () => void;
  /** The newest hashes; the last one is number `#end - 1` of all that were ever accepted. */
  readonly #hashes: Hash[] = [];
  #end = 0;
  /** The number of the first hash that each reader has not read. The slowest reader stands first. */
  readonly #cursors = new Map<object, number>();
  #stopListening: (() => void) | undefined;

  /** `beforeAppend` is called before hashes are added; it may close readers. */
  constructor(ledger: Ledger, hashesMax: number, beforeAppend: () => void) {
    this.#ledger = ledger;
    this.#hashesMax = hashesMax;
    this.#beforeAppend = beforeAppend;
  }

  /** Lets somebody read what is accepted from now on. */
  open(reader: object): void {
    this.#cursors.set(reader, this.#end);
    this.#stopListening ??= this.#ledger.onAccepted((hashes) => this.#append(hashes));
  }

  close(reader: object): void {
    this.#cursors.delete(reader);
    this.#trim();
    if (this.#cursors.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** How many hashes somebody has not read. */
  unreadCount(reader: object): number {
    return this.#end - (this.#cursors.get(reader) ?? this.#end);
  }

  /** The hashes that somebody has not read, at most `hashesMax` of them, in the order of acceptance. */
  unread(reader: object): readonly Hash[] {
    return this.#hashes.slice(this.#hashes.length - this.unreadCount(reader));
  }

  /** Somebody has read everything. */
  markRead(reader: object): void {
    // Behind the others, so that the slowest stays first.
    this.#cursors.delete(reader);
    this.#cursors.set(reader, this.#end);
    this.#trim();
  }

  #append(hashes: readonly Hash[]): void {
    this.#beforeAppend();
    if (this.#cursors.size === 0) return;
    this.#end += hashes.length;
    for (const hash of hashes) this.#hashes.push(hash);
    // Not at every single one, which would move all the others each time.
    if (this.#hashes.length > 2 * this.#hashesMax) this.#keep(this.#hashesMax);
  }

  /** Forgets what everybody has read. */
  #trim(): void {
    const [slowest = this.#end] = this.#cursors.values();
    this.#keep(this.#end - slowest);
  }

  #keep(count: number): void {
    if (count < this.#hashes.length) this.#hashes.splice(0, this.#hashes.length - count);
  }
}
