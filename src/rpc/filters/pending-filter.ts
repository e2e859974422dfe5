import type { Hexadecimal } from '../../view/index.ts';
import { LimitError } from '../errors.ts';
import type { AcceptedJournal } from './accepted-journal.ts';
import type { Filter, FilterView } from './filter.ts';

/** Reports the hash of every operation that is accepted after it was made. */
export class PendingFilter implements Filter {
  readonly criteria = 0;
  readonly #journal: AcceptedJournal;
  readonly #hashesMax: number;
  readonly #view: FilterView;

  constructor(journal: AcceptedJournal, hashesMax: number, view: FilterView) {
    this.#journal = journal;
    this.#hashesMax = hashesMax;
    this.#view = view;
    journal.open(this);
  }

  poll(): Hexadecimal[] {
    const hashes = this.logs();
    this.#journal.markRead(this);
    return hashes;
  }

  logs(): Hexadecimal[] {
    const count = this.#journal.unreadCount(this);
    if (count > this.#hashesMax) {
      throw new LimitError(
        `${count} transactions are new, more than the limit of ${this.#hashesMax} ` +
          'for one answer (--max-logs): the filter stays where it is; ' +
          'the blocks and eth_pendingTransactions have them',
      );
    }
    return this.#view.acceptedHashes(this.#journal.unread(this));
  }

  /** What was accepted stays so. */
  forget(): void {}

  close(): void {
    this.#journal.close(this);
  }
}
