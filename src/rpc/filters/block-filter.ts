import { blockHashOf, invariant } from '../../protocol/index.ts';
import { data, type Hexadecimal, quantity } from '../../view/index.ts';
import { LimitError } from '../errors.ts';
import type { Filter } from './filter.ts';
import type { FilterSource } from './find-logs.ts';

/** Reports the hash of every block that comes after it was made. */
export class BlockFilter implements Filter {
  readonly criteria = 0;
  readonly #source: FilterSource;
  /** The first block that was not reported. */
  #next: number;

  constructor(source: FilterSource) {
    this.#source = source;
    this.#next = source.ledger.head().number + 1;
  }

  poll(): Hexadecimal[] {
    const hashes = this.logs();
    this.#next += hashes.length;
    return hashes;
  }

  logs(): Hexadecimal[] {
    const { ledger, limits } = this.#source;
    const count = ledger.head().number + 1 - this.#next;
    if (count > limits.logsMax) {
      throw new LimitError(
        `${count} blocks are new, more than the limit of ${limits.logsMax} for one answer (--max-logs): ` +
          `the filter stays at block ${quantity(this.#next)}; ask eth_getBlockByNumber from there`,
      );
    }
    return Array.from({ length: count }, (_, index) => {
      const block = ledger.blockByNumber(this.#next + index);
      invariant(block !== undefined, 'every block up to the head is there');
      return data(blockHashOf(block.id));
    });
  }

  forget(): void {
    this.#next = Math.min(this.#next, this.#source.ledger.head().number + 1);
  }

  close(): void {}
}
