/**
 * The number of the running transaction. Entries of the tables carry the number of the transaction that their
 * warmth, original values and the like belong to, so that a new transaction forgets them all at once. The
 * host replaces the instance long before the number comes round.
 */

export let generation: u32 = 1;

/** Begins the next transaction. */
export function nextGeneration(): void {
  generation++;
}
