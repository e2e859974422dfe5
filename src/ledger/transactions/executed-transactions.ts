import { EXECUTED_BYTES_MAX } from '../../limits.ts';
import { equalBytes, type SignedTransaction } from '../../protocol/index.ts';
import type { BlockInputs } from '../chain/block-inputs.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { AppliedTransaction } from './apply-transaction.ts';

/** A transaction that was executed for the next block, on the state after those before it. */
export interface ExecutedTransaction {
  readonly applied: AppliedTransaction;
  readonly inputs: BlockInputs;
  /** True if its code has read the time of the block. */
  readonly readsTime: boolean;
}

/** Executed transactions, and the state after them. */
export interface ExecutedPool {
  readonly executed: readonly AppliedTransaction[];
  readonly state: WorkingState;
}

/**
 * The transactions that were executed on the pool's state, in order, and the inputs of the block for which they were. A
 * block of exactly these has the same results, if nothing that they have read differs.
 */
export class ExecutedTransactions {
  readonly #executed: AppliedTransaction[] = [];
  /** The same as they are pending. */
  readonly #pending: SignedTransaction[] = [];
  #inputs: BlockInputs | undefined;
  /** False if they were executed for different blocks, or if their results take too much memory. */
  #isUsable = true;
  /** The time of the block that their code has read; undefined if none has. */
  #readTime: number | undefined;
  /** Bytes of them, their event logs and revert data. */
  #bytes = 0;

  /** @param transaction as it is pending */
  add(transaction: SignedTransaction, { applied, inputs, readsTime }: ExecutedTransaction): void {
    const first = this.#inputs ?? inputs;
    this.#inputs = first;
    if (readsTime) this.#readTime ??= inputs.timestamp;
    this.#bytes += bytesOf(applied);
    this.#isUsable &&=
      isSameBlock(first, inputs) &&
      (!readsTime || inputs.timestamp === this.#readTime) &&
      this.#bytes <= EXECUTED_BYTES_MAX;
    if (this.#isUsable) {
      this.#executed.push(applied);
      this.#pending.push(transaction);
    } else {
      this.#executed.length = 0;
      this.#pending.length = 0;
    }
  }

  /** Returns them if a block of these inputs and transactions has the same results; else undefined. */
  usableFor(
    inputs: BlockInputs,
    transactions: readonly SignedTransaction[],
  ): ExecutedPool['executed'] | undefined {
    if (this.#inputs === undefined || !this.#isUsable) return undefined;
    if (!isSameBlock(this.#inputs, inputs)) return undefined;
    if (this.#readTime !== undefined && this.#readTime !== inputs.timestamp) return undefined;
    const isSame = this.#executed.length === transactions.length;
    const follows = this.#pending.every((transaction, index) => transaction === transactions[index]);
    return isSame && follows ? this.#executed : undefined;
  }
}

/** Compares the inputs of two blocks without their times. */
function isSameBlock(one: BlockInputs, other: BlockInputs): boolean {
  return (
    one.number === other.number &&
    one.attempt === other.attempt &&
    one.account === other.account &&
    one.prices.baseFee === other.prices.baseFee &&
    one.prices.excessBlobGas === other.prices.excessBlobGas &&
    equalBytes(one.rand, other.rand)
  );
}

function bytesOf({ bytes: encoded, outcomes }: AppliedTransaction): number {
  let bytes = encoded.length;
  for (const { output, logs } of outcomes) {
    bytes += output.length;
    for (const { data } of logs) bytes += data.length;
  }
  return bytes;
}
