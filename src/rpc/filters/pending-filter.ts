import { data, type Hexadecimal } from '../../view/index.ts';
import { LimitError } from '../errors.ts';
import type { AcceptedJournal } from './accepted-journal.ts';
import type { Filter } from './filter.ts';

/** Reports the hash, in its pending form, of every operation that is accepted after it was made. */
export class PendingFilter implements Filter {
  readonly criteria = 0;
  readonly #journal: AcceptedJournal;
  readonly #hashesMax: number;

  constructor(journal: AcceptedJournal, hashesMax: number) {
    this.#journal = journal;
    this.#hashesMax = hashesMax;
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
    return this.#journal.unread(this).map(data);
  }

  /** What was accepted stays so. */
  forget(): void {}

  close(): void {
    this.#journal.close(this);
  }
}
