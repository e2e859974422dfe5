import { isMetered, type SignedTransaction } from '../../protocol/index.ts';
import { ACCOUNT_CREATE_FEE } from '../operations/index.ts';
import type { StateRules } from '../state/index.ts';
import { type AppliedTransaction, gasOffered } from '../transactions/index.ts';

/** The gas that is left in a block that is being made. */
export class BlockRoom {
  /** Of what was set for operations on contracts; undefined: any. */
  #metered: bigint | undefined;
  /** Of what the chain allows all operations together; undefined: any. */
  #all: bigint | undefined;

  /**
   * @param metered gas that operations on contracts may take together; undefined: any
   * @param rules of the chain, which bound all operations where it knows Ethereum
   */
  constructor(metered: bigint | undefined, { blockGasLimit, hasStandardAddresses }: StateRules) {
    this.#metered = metered;
    this.#all = hasStandardAddresses ? blockGasLimit : undefined;
  }

  /** Whether a transaction fits in, whatever it uses of the gas that it offers. */
  hasPlaceFor(transaction: SignedTransaction): boolean {
    if (this.#metered === undefined && this.#all === undefined) return true;
    const offered = gasOffered(transaction);
    if (this.#metered !== undefined && offered > this.#metered) return false;
    return this.#all === undefined || offered + fixedFees(transaction) <= this.#all;
  }

  take({ transaction, outcomes }: AppliedTransaction): void {
    transaction.operations.forEach((operation, index) => {
      const { charge = 0n, gasUsed = 0n } = outcomes[index] ?? {};
      if (this.#metered !== undefined && isMetered(operation)) this.#metered -= charge;
      if (this.#all !== undefined) this.#all -= gasUsed;
    });
  }
}

/** The most that the operations without a limit of their own can take. */
function fixedFees({ operations }: SignedTransaction): bigint {
  return BigInt(operations.filter((operation) => !isMetered(operation)).length) * ACCOUNT_CREATE_FEE;
}
