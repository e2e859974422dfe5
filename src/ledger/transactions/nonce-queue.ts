import { bytesToHex } from '../../protocol/index.ts';
import type { SenderPlace } from './ethereum-envelope.ts';

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

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** How many of a sender's wait here. */
  countOf({ sender }: Pick<SenderPlace, 'sender'>): number {
    return this.#bySender.get(bytesToHex(sender))?.size ?? 0;
  }

  add(queued: Queued): void {
    const { sender, nonce } = queued.place;
    const name = bytesToHex(sender);
    const ofSender = this.#bySender.get(name) ?? new Map<bigint, Queued>();
    this.#bySender.set(name, ofSender);
    ofSender.set(nonce, queued);
    this.#ids.add(queued.id);
  }

  remove({ id, place: { sender, nonce } }: Pick<Queued, 'id' | 'place'>): void {
    if (!this.#ids.delete(id)) return;
    const name = bytesToHex(sender);
    const ofSender = this.#bySender.get(name);
    ofSender?.delete(nonce);
    if (ofSender?.size === 0) this.#bySender.delete(name);
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

  clear(): void {
    this.#bySender.clear();
    this.#ids.clear();
  }
}
