/**
 * The numbers of edwards25519, the curve -x^2 + y^2 = 1 + d x^2 y^2 modulo p = 2^255 - 19, and of its base point B,
 * whose order is L = 2^252 + 27742317777372353535851937790883648493. Elements are in the form of field.ts.
 *
 * Source: RFC 8032, section 5.1.
 */

/** d = -121665/121666 */
export const CURVE_D: usize = memory.data<i32>([
  0x35978a3, 0x0d37284, 0x3156ebd, 0x06a0a0e, 0x001c029, 0x179e898, 0x3a03cbb, 0x1ce7198, 0x2e2b6ff, 0x1480db3,
]);

/** 2 d */
export const TWICE_CURVE_D: usize = memory.data<i32>([
  0x2b2f159, 0x1a6e509, 0x22add7a, 0x0d4141d, 0x0038052, 0x0f3d130, 0x3407977, 0x19ce331, 0x1c56dff, 0x0901b67,
]);

/** 2^((p - 1)/4) */
export const ROOT_OF_MINUS_ONE: usize = memory.data<i32>([
  0x20ea0b0, 0x186c9d2, 0x08f189d, 0x035697f, 0x0bd0c60, 0x1fbd7a7, 0x2804c9e, 0x1e16569, 0x004fc1d, 0x0ae0c92,
]);

/** B in extended coordinates X, Y, Z, T; y is 4/5, and x is even. */
export const BASE_POINT: usize = memory.data<i32>([
  0x325d51a, 0x18b5823, 0x0f6592a, 0x104a92d, 0x1a4b31d, 0x1d6dc5c, 0x27118fe, 0x07fd814, 0x13cd6e5, 0x085a4db,
  0x2666658, 0x1999999, 0x0cccccc, 0x1333333, 0x1999999, 0x0666666, 0x3333333, 0x0cccccc, 0x2666666, 0x1999999,
  0x0000001, 0x0000000, 0x0000000, 0x0000000, 0x0000000, 0x0000000, 0x0000000, 0x0000000, 0x0000000, 0x0000000,
  0x1b7dda3, 0x1a2ace9, 0x25eadbb, 0x003ba8a, 0x083c27e, 0x0abe37d, 0x1274732, 0x0ccacdd, 0x0fd78b7, 0x19e1d7c,
]);

/** L in limbs of 32 bits, the lowest first. */
export const ORDER: usize = memory.data<u32>([
  0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0x00000000, 0x00000000, 0x00000000, 0x10000000,
]);

/** floor(2^512 / L) in limbs of 32 bits, the lowest first. */
export const RECIPROCAL_OF_ORDER: usize = memory.data<u32>([
  0x0a2c131b, 0xed9ce5a3, 0x086329a7, 0x2106215d, 0xffffffeb, 0xffffffff, 0xffffffff, 0xffffffff, 0x0000000f,
]);
