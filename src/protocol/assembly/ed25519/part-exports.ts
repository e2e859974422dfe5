/** The functions of this folder as a separate module, for their tests. */

export { multiplyBase } from './base-multiple';
export {
  BASE_POINT, CURVE_D, ORDER, RECIPROCAL_OF_ORDER, ROOT_OF_MINUS_ONE, TWICE_CURVE_D,
} from './constants';
export { makePointTable, multiplyBoth, POINT_TABLE_BYTES } from './double-multiple';
export { add, areEqual, carry, decode, encode, multiply, negate, square, subtract } from './field';
export { decodePoint, encodePoint, isOfSmallOrder } from './points';
export { invert, rootOfRatio } from './powers';
export { isBelowOrder, multiplyAdd, reduce } from './scalars';

/** Returns the end of the memory of these functions, where the memory of the caller begins. */
export function freeMemoryOffset(): usize {
  return (__heap_base + 15) & ~15;
}
