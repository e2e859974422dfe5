import { bytesToHex } from '../../protocol/index.ts';
import type { SenderPlace } from './ethereum-envelope.ts';
import { FairShares } from './fair-shares.ts';

/** A transaction that waits for others of its sender. */
export interface Queued {
  readonly id: string;
  readonly place: SenderPlace;
  /** Moment at which it came to the queue, by the pool's time. */
  readonly since: number;
}

/** A place among the transactions of a sender, as a key. */
export function placeKey({ sender, nonce }: SenderPlace): string {
  return `${bytesToHex(sender)}:${nonce}`;
}

/** Transactions of Ethereum's that wait for those of lower nonces, by sender. */
export class NonceQueue {
  readonly #bySender = new Map<string, Map<bigint, Queued>>();
  readonly #ids = new Set<string>();
  /** Counts of them by sender. */
  readonly shares = new FairShares();

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** The one of a sender that came first. */
  oldestOf(sender: string): Queued | undefined {
    const [oldest] = this.#bySender.get(sender)?.values() ?? [];
    return oldest;
  }

  add(queued: Queued): void {
    const { sender, nonce } = queued.place;
    const name = bytesToHex(sender);
    const ofSender = this.#bySender.get(name) ?? new Map<bigint, Queued>();
    this.#bySender.set(name, ofSender);
    ofSender.set(nonce, queued);
    this.#ids.add(queued.id);
    this.shares.change(name, 1);
  }

  remove({ id, place: { sender, nonce } }: Pick<Queued, 'id' | 'place'>): void {
    if (!this.#ids.delete(id)) return;
    const name = bytesToHex(sender);
    const ofSender = this.#bySender.get(name);
    ofSender?.delete(nonce);
    if (ofSender?.size === 0) this.#bySender.delete(name);
    this.shares.change(name, -1);
  }

  /** The one of each sender that has the lowest nonce. */
  *firstOfEach(): Iterable<Queued> {
    for (const ofSender of [...this.#bySender.values()]) {
      let first: Queued | undefined;
      for (const queued of ofSender.values()) {
        if (first === undefined || queued.place.nonce < first.place.nonce) first = queued;
      }
      if (first !== undefined) yield first;
    }
  }

  /** Those that came before a moment. */
  olderThan(moment: number): Queued[] {
    return [...this.#bySender.values()].flatMap((ofSender) =>
      [...ofSender.values()].filter(({ since }) => since < moment),
    );
  }
}
