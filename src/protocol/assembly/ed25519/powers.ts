/**
 * Inverses and square roots in the field of field.ts: powers with fixed exponents.
 *
 * Source: RFC 8032, sections 5.1.1 and 5.1.3. The chain of powers is that of Bernstein, "Curve25519: new Diffie-Hellman
 * speed records" (2006).
 */
import { ROOT_OF_MINUS_ONE } from './constants';
import { areEqual, copy, multiply, negate, square } from './field';
import { POWERS_SCRATCH } from './scratch';

const FIRST: usize = POWERS_SCRATCH;
const SECOND: usize = POWERS_SCRATCH + 40;
const THIRD: usize = POWERS_SCRATCH + 80;
const ELEVENTH_POWER: usize = POWERS_SCRATCH + 120;
const ROOT: usize = POWERS_SCRATCH + 160;
const RADICAND: usize = POWERS_SCRATCH + 200;
const PROOF: usize = POWERS_SCRATCH + 240;

/** Writes a^(2^doublings) times `factor`. The result must not be the factor. */
function raise(out: usize, a: usize, doublings: i32, factor: usize): void {
  square(out, a);
  for (let done = 1; done < doublings; done++) square(out, out);
  multiply(out, out, factor);
}

/** Computes a^(2^250 - 1) at `FIRST`, and a^11 at `ELEVENTH_POWER`. */
function raiseHigh(a: usize): void {
  square(SECOND, a);
  raise(FIRST, SECOND, 2, a); // 9
  multiply(ELEVENTH_POWER, FIRST, SECOND);
  raise(SECOND, ELEVENTH_POWER, 1, FIRST); // 2^5 - 1
  raise(FIRST, SECOND, 5, SECOND); // 2^10 - 1
  raise(SECOND, FIRST, 10, FIRST); // 2^20 - 1
  raise(THIRD, SECOND, 20, SECOND); // 2^40 - 1
  raise(SECOND, THIRD, 10, FIRST); // 2^50 - 1
  raise(FIRST, SECOND, 50, SECOND); // 2^100 - 1
  raise(THIRD, FIRST, 100, FIRST); // 2^200 - 1
  raise(FIRST, THIRD, 50, SECOND); // 2^250 - 1
}

/** Writes 1/a as a^(p - 2), where p - 2 = 2^255 - 21; 0 for 0. */
export function invert(out: usize, a: usize): void {
  raiseHigh(a);
  raise(out, FIRST, 5, ELEVENTH_POWER);
}

/**
 * Writes a square root of u/v. Returns true if it exists. For public values: it branches.
 *
 * The candidate is u v^3 (u v^7)^((p - 5)/8), where (p - 5)/8 = 2^252 - 3. If its square times v is u, it is the root;
 * if that is -u, the candidate times the root of -1 is the root; otherwise no root exists.
 */
export function rootOfRatio(out: usize, u: usize, v: usize): bool {
  square(ROOT, v);
  multiply(ROOT, ROOT, v);
  square(RADICAND, ROOT);
  multiply(RADICAND, RADICAND, v);
  multiply(RADICAND, RADICAND, u);
  multiply(ROOT, ROOT, u);
  raiseHigh(RADICAND);
  raise(THIRD, FIRST, 2, RADICAND);
  multiply(ROOT, ROOT, THIRD);
  square(PROOF, ROOT);
  multiply(PROOF, PROOF, v);
  const isRoot = areEqual(PROOF, u);
  negate(PROOF, PROOF);
  const isRootOfNegative = areEqual(PROOF, u);
  if (isRootOfNegative) multiply(ROOT, ROOT, ROOT_OF_MINUS_ONE);
  copy(out, ROOT);
  return isRoot || isRootOfNegative;
}
