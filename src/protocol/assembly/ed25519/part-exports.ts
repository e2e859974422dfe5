/** The parts of the signatures as a module of their own, for their tests. */

export { multiplyBase } from './base-multiple';
export {
  BASE_POINT, CURVE_D, ORDER, RECIPROCAL_OF_ORDER, ROOT_OF_MINUS_ONE, TWICE_CURVE_D,
} from './constants';
export { multiplyBoth } from './double-multiple';
export { add, areEqual, carry, decode, encode, multiply, negate, square, subtract } from './field';
export { decodePoint, encodePoint, isOfSmallOrder } from './points';
export { invert, rootOfRatio } from './powers';
export { isBelowOrder, multiplyAdd, reduce } from './scalars';

/** Where the memory of the functions ends, and that of the caller begins. */
export function freeMemoryOffset(): usize {
  return (__heap_base + 15) & ~15;
}
