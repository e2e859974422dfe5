/**
 * The permutation of SHA-3 and of Keccak, Keccak-f[1600] of FIPS 202, and its state.
 *
 * Each round reads the state from one place and writes it to another, since the machine has fewer registers than lanes.
 * The lanes 1, 2, 8, 12, 17 and 20 are complemented between the rounds, so that chi needs 5 complements instead of 25
 * ("Keccak implementation overview", section 2.2). Lanes in locals, and more rounds in each iteration, are slower.
 */

const STATE_BYTES: usize = 200;
/** The 24 round constants take 8 bytes each. */
const ROUND_CONSTANTS_BYTES: usize = 192;

/** 25 lanes of 64 bits, little endian, lane x + 5y at offset 8 (x + 5y). */
export const STATE: usize = memory.data(208, 16);
/** The state after an odd number of rounds. */
const OTHER: usize = memory.data(208, 16);

/** Step iota, FIPS 202 section 3.2.5. */
const ROUND_CONSTANTS: usize = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
  0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
  0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
  0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
]);

/** Sets the state to zero. The loop is inline, since `memory.fill` is a call of the engine. */
export function clearState(): void {
  for (let offset: usize = 0; offset < STATE_BYTES; offset += 8) store<u64>(STATE + offset, 0);
}

/** Clears both places of the state, after a secret input. */
export function wipeState(): void {
  clearState();
  memory.fill(OTHER, 0, STATE_BYTES);
}

/** Adds `length` bytes to the state, from the byte `offset` of the state on. */
export function addToState(offset: usize, input: usize, length: usize): void {
  const words = length & ~7;
  const target = STATE + offset;
  let done: usize = 0;
  for (; done < words; done += 8) {
    store<u64>(target + done, load<u64>(target + done) ^ load<u64>(input + done));
  }
  for (; done < length; done++) {
    store<u8>(target + done, load<u8>(target + done) ^ load<u8>(input + done));
  }
}

/** Reads a lane of a state. */
// @ts-ignore: decorator
@inline
function lane(state: usize, index: usize): u64 {
  return load<u64>(state + (index << 3));
}

/** Reads a lane for its new position: adds d and rotates it (steps theta and rho). */
// @ts-ignore: decorator
@inline
function moved(state: usize, index: usize, d: u64, bits: u64): u64 {
  return rotl<u64>(lane(state, index) ^ d, bits);
}

/** Writes a lane of a state, and returns it. */
// @ts-ignore: decorator
@inline
function put(state: usize, index: usize, value: u64): u64 {
  store<u64>(state + (index << 3), value);
  return value;
}

/** Complements the six lanes that `permute` keeps complemented. */
function complementLanes(): void {
  put(STATE, 1, ~lane(STATE, 1)), put(STATE, 2, ~lane(STATE, 2)), put(STATE, 8, ~lane(STATE, 8));
  put(STATE, 12, ~lane(STATE, 12)), put(STATE, 17, ~lane(STATE, 17)), put(STATE, 20, ~lane(STATE, 20));
}

/** Returns the parity of a column, step theta. */
// @ts-ignore: decorator
@inline
function parity(column: usize): u64 {
  const upper = lane(STATE, column) ^ lane(STATE, column + 5) ^ lane(STATE, column + 10);
  return upper ^ lane(STATE, column + 15) ^ lane(STATE, column + 20);
}

/**
 * Keccak-f[1600] on the state: 24 rounds, two in each iteration. Lane a(x)(y) of FIPS 202 is lane x + 5y here. In each
 * round d is added to the lanes of each column (theta); rho and pi select the five lanes b of each new row, chi mixes
 * them, iota adds the round constant, and c becomes the parity of each new column.
 */
export function permute(): void {
  complementLanes();
  let c0 = parity(0), c1 = parity(1), c2 = parity(2), c3 = parity(3), c4 = parity(4);
  for (let constants = ROUND_CONSTANTS; constants < ROUND_CONSTANTS + ROUND_CONSTANTS_BYTES; constants += 16) {
    let d0 = c4 ^ rotl<u64>(c1, 1), d1 = c0 ^ rotl<u64>(c2, 1), d2 = c1 ^ rotl<u64>(c3, 1);
    let d3 = c2 ^ rotl<u64>(c4, 1), d4 = c3 ^ rotl<u64>(c0, 1);
    let b0 = lane(STATE, 0) ^ d0, b1 = moved(STATE, 6, d1, 44), b2 = moved(STATE, 12, d2, 43);
    let b3 = moved(STATE, 18, d3, 21), b4 = moved(STATE, 24, d4, 14);
    c0 = put(OTHER, 0, b0 ^ (b1 | b2) ^ load<u64>(constants));
    c1 = put(OTHER, 1, b1 ^ (~b2 | b3)), c2 = put(OTHER, 2, b2 ^ (b3 & b4));
    c3 = put(OTHER, 3, b3 ^ (b4 | b0)), c4 = put(OTHER, 4, b4 ^ (b0 & b1));
    b0 = moved(STATE, 3, d3, 28), b1 = moved(STATE, 9, d4, 20), b2 = moved(STATE, 10, d0, 3);
    b3 = moved(STATE, 16, d1, 45), b4 = moved(STATE, 22, d2, 61);
    c0 ^= put(OTHER, 5, b0 ^ (b1 | b2)), c1 ^= put(OTHER, 6, b1 ^ (b2 & b3)), c2 ^= put(OTHER, 7, b2 ^ (b3 | ~b4));
    c3 ^= put(OTHER, 8, b3 ^ (b4 | b0)), c4 ^= put(OTHER, 9, b4 ^ (b0 & b1));
    b0 = moved(STATE, 1, d1, 1), b1 = moved(STATE, 7, d2, 6), b2 = moved(STATE, 13, d3, 25);
    b3 = moved(STATE, 19, d4, 8), b4 = moved(STATE, 20, d0, 18);
    c0 ^= put(OTHER, 10, b0 ^ (b1 | b2)), c1 ^= put(OTHER, 11, b1 ^ (b2 & b3)), c2 ^= put(OTHER, 12, b2 ^ (~b3 & b4));
    c3 ^= put(OTHER, 13, ~b3 ^ (b4 | b0)), c4 ^= put(OTHER, 14, b4 ^ (b0 & b1));
    b0 = moved(STATE, 4, d4, 27), b1 = moved(STATE, 5, d0, 36), b2 = moved(STATE, 11, d1, 10);
    b3 = moved(STATE, 17, d2, 15), b4 = moved(STATE, 23, d3, 56);
    c0 ^= put(OTHER, 15, b0 ^ (b1 & b2)), c1 ^= put(OTHER, 16, b1 ^ (b2 | b3)), c2 ^= put(OTHER, 17, b2 ^ (~b3 | b4));
    c3 ^= put(OTHER, 18, ~b3 ^ (b4 & b0)), c4 ^= put(OTHER, 19, b4 ^ (b0 | b1));
    b0 = moved(STATE, 2, d2, 62), b1 = moved(STATE, 8, d3, 55), b2 = moved(STATE, 14, d4, 39);
    b3 = moved(STATE, 15, d0, 41), b4 = moved(STATE, 21, d1, 2);
    c0 ^= put(OTHER, 20, b0 ^ (~b1 & b2)), c1 ^= put(OTHER, 21, ~b1 ^ (b2 | b3)), c2 ^= put(OTHER, 22, b2 ^ (b3 & b4));
    c3 ^= put(OTHER, 23, b3 ^ (b4 | b0)), c4 ^= put(OTHER, 24, b4 ^ (b0 & b1));

    d0 = c4 ^ rotl<u64>(c1, 1), d1 = c0 ^ rotl<u64>(c2, 1), d2 = c1 ^ rotl<u64>(c3, 1);
    d3 = c2 ^ rotl<u64>(c4, 1), d4 = c3 ^ rotl<u64>(c0, 1);
    b0 = lane(OTHER, 0) ^ d0, b1 = moved(OTHER, 6, d1, 44), b2 = moved(OTHER, 12, d2, 43);
    b3 = moved(OTHER, 18, d3, 21), b4 = moved(OTHER, 24, d4, 14);
    c0 = put(STATE, 0, b0 ^ (b1 | b2) ^ load<u64>(constants, 8));
    c1 = put(STATE, 1, b1 ^ (~b2 | b3)), c2 = put(STATE, 2, b2 ^ (b3 & b4));
    c3 = put(STATE, 3, b3 ^ (b4 | b0)), c4 = put(STATE, 4, b4 ^ (b0 & b1));
    b0 = moved(OTHER, 3, d3, 28), b1 = moved(OTHER, 9, d4, 20), b2 = moved(OTHER, 10, d0, 3);
    b3 = moved(OTHER, 16, d1, 45), b4 = moved(OTHER, 22, d2, 61);
    c0 ^= put(STATE, 5, b0 ^ (b1 | b2)), c1 ^= put(STATE, 6, b1 ^ (b2 & b3)), c2 ^= put(STATE, 7, b2 ^ (b3 | ~b4));
    c3 ^= put(STATE, 8, b3 ^ (b4 | b0)), c4 ^= put(STATE, 9, b4 ^ (b0 & b1));
    b0 = moved(OTHER, 1, d1, 1), b1 = moved(OTHER, 7, d2, 6), b2 = moved(OTHER, 13, d3, 25);
    b3 = moved(OTHER, 19, d4, 8), b4 = moved(OTHER, 20, d0, 18);
    c0 ^= put(STATE, 10, b0 ^ (b1 | b2)), c1 ^= put(STATE, 11, b1 ^ (b2 & b3)), c2 ^= put(STATE, 12, b2 ^ (~b3 & b4));
    c3 ^= put(STATE, 13, ~b3 ^ (b4 | b0)), c4 ^= put(STATE, 14, b4 ^ (b0 & b1));
    b0 = moved(OTHER, 4, d4, 27), b1 = moved(OTHER, 5, d0, 36), b2 = moved(OTHER, 11, d1, 10);
    b3 = moved(OTHER, 17, d2, 15), b4 = moved(OTHER, 23, d3, 56);
    c0 ^= put(STATE, 15, b0 ^ (b1 & b2)), c1 ^= put(STATE, 16, b1 ^ (b2 | b3)), c2 ^= put(STATE, 17, b2 ^ (~b3 | b4));
    c3 ^= put(STATE, 18, ~b3 ^ (b4 & b0)), c4 ^= put(STATE, 19, b4 ^ (b0 | b1));
    b0 = moved(OTHER, 2, d2, 62), b1 = moved(OTHER, 8, d3, 55), b2 = moved(OTHER, 14, d4, 39);
    b3 = moved(OTHER, 15, d0, 41), b4 = moved(OTHER, 21, d1, 2);
    c0 ^= put(STATE, 20, b0 ^ (~b1 & b2)), c1 ^= put(STATE, 21, ~b1 ^ (b2 | b3)), c2 ^= put(STATE, 22, b2 ^ (b3 & b4));
    c3 ^= put(STATE, 23, b3 ^ (b4 | b0)), c4 ^= put(STATE, 24, b4 ^ (b0 & b1));
  }
  complementLanes();
}
