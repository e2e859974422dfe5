/** State that lasts for one transaction: its generation, the refund counter and the burned balance. */

import { recordWord } from './journal';
import { RECORD_BURNED } from './layout';
import { add, clearWord } from './word';

/**
 * The generation of the running transaction. Table entries store the generation that their warmth, original values and
 * the like belong to: a new transaction invalidates all of them at once. The host replaces the instance long before the
 * number wraps around.
 */
export let generation: u32 = 1;

/** The refund counter, in gas. */
export let refund: i64 = 0;

/** Balance that SELFDESTRUCT burned. */
export const burned: usize = memory.data(32, 16);

/** Begins the next transaction. */
export function resetTransactionState(): void {
  generation++;
  refund = 0;
  clearWord(burned);
}

export function addRefund(amount: i64): void {
  refund += amount;
}

/** Restores the refund counter when a frame reverts. */
export function setRefund(value: i64): void {
  refund = value;
}

export function burn(amount: usize): void {
  recordWord(RECORD_BURNED, 0, burned);
  add(burned, burned, amount);
}
