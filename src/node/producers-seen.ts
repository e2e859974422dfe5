import type { Ledger } from '../ledger/index.ts';
import type { AccountId } from '../protocol/index.ts';

/**
 * Knows which other producers are there: those whose blocks were among the newest ones that came since this node runs,
 * as many as there are producers. One that is gone, and passed over, is not among them after a round.
 */
export class ProducersSeen {
  readonly #ledger: Pick<Ledger, 'head' | 'genesis'>;
  readonly #own: ReadonlySet<AccountId>;
  /** The number of the newest block of each. */
  readonly #newest = new Map<AccountId, number>();

  /** @param own the producers whose keys this node holds */
  constructor(
    ledger: Pick<Ledger, 'head' | 'genesis' | 'onBlock' | 'onForgotten'>,
    own: Iterable<AccountId>,
  ) {
    this.#ledger = ledger;
    this.#own = new Set(own);
    ledger.onBlock(({ number, header }) => this.#newest.set(header.account, number));
    ledger.onForgotten(() => this.#newest.clear());
  }

  /** How many others are there. */
  count(): number {
    const { producers } = this.#ledger.genesis;
    const oldest = this.#ledger.head().number - producers.length;
    let count = 0;
    for (const [account, number] of this.#newest) if (number > oldest && !this.#own.has(account)) count += 1;
    return count;
  }
}
