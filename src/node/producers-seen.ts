import type { Ledger } from '../ledger/index.ts';
import type { AccountId } from '../protocol/index.ts';

/**
 * Counts the other active producers: those of the newest blocks since the start, as many blocks as there are producers.
 * A producer that is skipped is not counted after a round.
 */
export class ProducersSeen {
  readonly #ledger: Pick<Ledger, 'blocks' | 'parameters'>;
  readonly #own: ReadonlySet<AccountId>;
  /** The number of the newest block of each. */
  readonly #newest = new Map<AccountId, number>();

  constructor(ledger: Pick<Ledger, 'blocks' | 'parameters' | 'chain' | 'history'>, own: Iterable<AccountId>) {
    this.#ledger = ledger;
    this.#own = new Set(own);
    ledger.chain.onBlock(({ number, header }) => this.#newest.set(header.account, number));
    ledger.history.onForgotten(() => this.#newest.clear());
  }

  count(): number {
    const { producers } = this.#ledger.parameters.genesis;
    const oldest = this.#ledger.blocks.head().number - producers.length;
    let count = 0;
    for (const [account, number] of this.#newest) if (number > oldest && !this.#own.has(account)) count += 1;
    return count;
  }
}
