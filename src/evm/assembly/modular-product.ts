/** Products modulo a word. */

import { reduceProduct } from './modular-reduction';
import { copyWord } from './word';
import { moduloLong } from './word-division';
import { addLimb, addLimbs, addProduct, multiplyFull } from './word-multiplication';

const product: usize = memory.data(64, 16);
const reduced: usize = memory.data(32, 16);

/** (a * b) mod modulus; 0 when the modulus is 0. */
export function multiplyModulo(result: usize, a: usize, b: usize, modulus: usize): void {
  multiplyFull(product, a, b);
  if (isJustBelowPower(modulus)) {
    foldProduct(0 - load<u64>(modulus));
    copyWord(result, product);
  } else if (!load<u64>(modulus, 24) || !reduceProduct(result, product, modulus)) {
    moduloLong(result, product, 8, modulus);
  }
}

/** Tests whether a modulus is 2^256 less a complement of one limb that is not zero. */
@inline
function isJustBelowPower(modulus: usize): bool {
  const upperLimbs = load<u64>(modulus, 8) & load<u64>(modulus, 16) & load<u64>(modulus, 24);
  return upperLimbs == u64.MAX_VALUE && load<u64>(modulus) != 0;
}

/**
 * Reduces the product, in its place, mod 2^256 - complement: 2^256 and the complement are congruent, so the high
 * half times the complement is added to the low half. Such moduli are common: 2^256 - 1 in products of full
 * precision, and the prime of secp256k1.
 */
function foldProduct(complement: u64): void {
  let carry: u64 = 0;
  for (let offset: usize = 0; offset < 32; offset += 8) {
    const position = product + offset;
    carry = addProduct(position, load<u64>(position, 32), complement, carry);
  }
  carry = addProduct(product, carry, complement, 0);
  for (let offset: usize = 8; offset < 32; offset += 8) carry = addLimb(product + offset, carry);
  addLimbs(product, carry ? complement : 0);
  // The sum is less than 2^256: one modulus too great exactly if the complement makes it overflow.
  copyWord(reduced, product);
  if (!addLimbs(product, complement)) copyWord(product, reduced);
}
