/** Balance that self-destruction took out of the world in the running transaction. */

import { RECORD_BURNED } from './layout';
import { recordWord } from './journal';
import { add, clearWord } from './word';

export const burned: usize = memory.data(32, 16);

export function burn(amount: usize): void {
  recordWord(RECORD_BURNED, 0, burned);
  add(burned, burned, amount);
}

export function forgetBurned(): void {
  clearWord(burned);
}
