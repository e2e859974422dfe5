import type { Ledger } from '../../ledger/index.ts';
import { SUBSCRIBED_ACCEPTED_MAX } from '../../limits.ts';
import type { Hash } from '../../protocol/index.ts';
import { type Feed, MissedError, type Reader } from './feed.ts';

interface Accepted {
  readonly hash: Hash;
  /** What is told of it, once somebody is told; null for nothing. */
  text?: Uint8Array | null;
}

/** Tells of accepted transactions, the newest of which are kept for those who are behind. */
export class AcceptedFeed implements Feed {
  readonly #textOf: (hash: Hash) => string | undefined;
  readonly #stopListening: () => void;
  /** The newest ones; the first is number `#begin` of all that came. */
  #accepted: Accepted[] = [];
  #begin = 0;

  /** @param textOf what is told of an accepted operation, as JSON; undefined for nothing */
  constructor(ledger: Pick<Ledger, 'onAccepted'>, textOf: (hash: Hash) => string | undefined) {
    this.#textOf = textOf;
    this.#stopListening = ledger.onAccepted((hashes) => this.#append(hashes));
  }

  /** Nobody reads any more. */
  close(): void {
    this.#stopListening();
  }

  open(): Reader {
    return new AcceptedReader(this.#begin + this.#accepted.length, (position) => this.#at(position));
  }

  #append(hashes: readonly Hash[]): void {
    for (const hash of hashes) this.#accepted.push({ hash });
    // Not at every single one, which would move all the others each time.
    if (this.#accepted.length > 2 * SUBSCRIBED_ACCEPTED_MAX) this.#keep(SUBSCRIBED_ACCEPTED_MAX);
  }

  /** What is told of the one at a place; undefined where none has come yet, null for nothing. */
  #at(position: number): Uint8Array | null | undefined {
    if (position < this.#begin) {
      throw new MissedError(`more than ${SUBSCRIBED_ACCEPTED_MAX} transactions were not taken`);
    }
    const accepted = this.#accepted[position - this.#begin];
    if (accepted === undefined) return undefined;
    if (accepted.text === undefined) {
      const text = this.#textOf(accepted.hash);
      accepted.text = text === undefined ? null : Buffer.from(text);
    }
    return accepted.text;
  }

  #keep(count: number): void {
    const gone = this.#accepted.length - count;
    if (gone <= 0) return;
    this.#accepted = this.#accepted.slice(gone);
    this.#begin += gone;
  }
}

type AcceptedSource = (position: number) => Uint8Array | null | undefined;

class AcceptedReader implements Reader {
  readonly #source: AcceptedSource;
  #position: number;

  constructor(position: number, source: AcceptedSource) {
    this.#position = position;
    this.#source = source;
  }

  next(): Uint8Array | undefined {
    for (;;) {
      const text = this.#source(this.#position);
      if (text === undefined) return undefined;
      this.#position += 1;
      if (text !== null) return text;
    }
  }

  /** What is accepted is kept for nobody in particular. */
  close(): void {}
}
