import { isMetered, type SignedTransaction } from '../../protocol/index.ts';
import type { StateRules } from '../state/state-rules.ts';
import type { AppliedTransaction } from '../transactions/apply-transaction.ts';
import { gasAtMost, gasOffered } from '../transactions/transaction-checks.ts';

/** The gas that is left in a block that is being made. */
export class BlockRoom {
  /** Of what was set for operations on contracts; undefined: any. */
  #metered: bigint | undefined;
  /** Of what the chain allows all operations together; undefined: any. */
  #all: bigint | undefined;
  /** The same for a block that is empty. */
  readonly #most: bigint | undefined;

  /**
   * @param metered gas that operations on contracts may take together; undefined: any
   * @param rules of the chain, which bound all operations where it knows Ethereum
   */
  constructor(metered: bigint | undefined, { blockGasLimit, hasStandardAddresses }: StateRules) {
    this.#metered = metered;
    this.#most = hasStandardAddresses ? blockGasLimit : undefined;
    this.#all = this.#most;
  }

  /**
   * Whether a transaction fits in, whatever it uses of the gas that it offers. What no block of the chain has room for
   * does: whoever applies it finds out that it is refused.
   */
  hasPlaceFor(transaction: SignedTransaction): boolean {
    if (this.#metered === undefined && this.#all === undefined) return true;
    if (this.#metered !== undefined && gasOffered(transaction) > this.#metered) return false;
    if (this.#all === undefined || this.#most === undefined) return true;
    const gas = gasAtMost(transaction);
    return gas <= this.#all || gas > this.#most;
  }

  take({ transaction, outcomes }: AppliedTransaction): void {
    transaction.operations.forEach((operation, index) => {
      const { charge = 0n, gasUsed = 0n } = outcomes[index] ?? {};
      if (this.#metered !== undefined && isMetered(operation)) this.#metered -= charge;
      if (this.#all !== undefined) this.#all -= gasUsed;
    });
  }
}
