/** The refund counter of the running transaction, in gas. */

export let refund: i64 = 0;

export function addRefund(amount: i64): void {
  refund += amount;
}

/** Sets the counter: to zero for a new transaction, to its former value when a frame is reverted. */
export function setRefund(value: i64): void {
  refund = value;
}
