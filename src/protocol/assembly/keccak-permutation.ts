/**
 * The permutation of SHA-3 and of Keccak, Keccak-f[1600] of FIPS 202, and its state.
 *
 * All 25 lanes are in locals, and each iteration computes one round. That is the fastest form measured: unrolled rounds
 * need more registers than the machine has, and the compiler spills them.
 */

const STATE_BYTES: usize = 200;
/** The 24 round constants take 8 bytes each. */
const ROUND_CONSTANTS_BYTES: usize = 192;

/** 25 lanes of 64 bits, little endian, lane x + 5y at offset 8 (x + 5y). */
export const STATE: usize = memory.data(208, 16);

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

/** One bit of step chi: the lane, changed where its right neighbour is 0 and the next one 1. */
// @ts-ignore: decorator
@inline
function chi(lane: u64, right: u64, next: u64): u64 {
  return lane ^ (~right & next);
}

/** Reads lane `index` of the state. */
// @ts-ignore: decorator
@inline
function lane(index: usize): u64 {
  return load<u64>(STATE + (index << 3));
}

/** Writes two neighbouring lanes of the state. */
// @ts-ignore: decorator
@inline
function setLanes(index: usize, first: u64, second: u64): void {
  store<u64>(STATE + (index << 3), first);
  store<u64>(STATE + (index << 3), second, 8);
}

/** Keccak-f[1600] on the state: 24 rounds. Lane a(x)(y) of FIPS 202 is a plus the number x + 5y here. */
export function permute(): void {
  let a0 = lane(0), a1 = lane(1), a2 = lane(2), a3 = lane(3), a4 = lane(4);
  let a5 = lane(5), a6 = lane(6), a7 = lane(7), a8 = lane(8), a9 = lane(9);
  let a10 = lane(10), a11 = lane(11), a12 = lane(12), a13 = lane(13), a14 = lane(14);
  let a15 = lane(15), a16 = lane(16), a17 = lane(17), a18 = lane(18), a19 = lane(19);
  let a20 = lane(20), a21 = lane(21), a22 = lane(22), a23 = lane(23), a24 = lane(24);
  for (let round: usize = 0; round < ROUND_CONSTANTS_BYTES; round += 8) {
    // Theta: the parity c of each column, and the value d that is added to the lanes of each column.
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20, c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21, c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23, c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const d0 = c4 ^ rotl<u64>(c1, 1), d1 = c0 ^ rotl<u64>(c2, 1), d2 = c1 ^ rotl<u64>(c3, 1);
    const d3 = c2 ^ rotl<u64>(c4, 1), d4 = c3 ^ rotl<u64>(c0, 1);

    // Rho and pi select the five lanes b of each new row, chi mixes them, iota adds the round constant.
    let b0 = a0 ^ d0, b1 = rotl<u64>(a6 ^ d1, 44), b2 = rotl<u64>(a12 ^ d2, 43);
    let b3 = rotl<u64>(a18 ^ d3, 21), b4 = rotl<u64>(a24 ^ d4, 14);
    const e0 = chi(b0, b1, b2) ^ load<u64>(ROUND_CONSTANTS + round);
    const e1 = chi(b1, b2, b3), e2 = chi(b2, b3, b4), e3 = chi(b3, b4, b0), e4 = chi(b4, b0, b1);

    b0 = rotl<u64>(a3 ^ d3, 28), b1 = rotl<u64>(a9 ^ d4, 20), b2 = rotl<u64>(a10 ^ d0, 3);
    b3 = rotl<u64>(a16 ^ d1, 45), b4 = rotl<u64>(a22 ^ d2, 61);
    const e5 = chi(b0, b1, b2), e6 = chi(b1, b2, b3), e7 = chi(b2, b3, b4);
    const e8 = chi(b3, b4, b0), e9 = chi(b4, b0, b1);

    b0 = rotl<u64>(a1 ^ d1, 1), b1 = rotl<u64>(a7 ^ d2, 6), b2 = rotl<u64>(a13 ^ d3, 25);
    b3 = rotl<u64>(a19 ^ d4, 8), b4 = rotl<u64>(a20 ^ d0, 18);
    const e10 = chi(b0, b1, b2), e11 = chi(b1, b2, b3), e12 = chi(b2, b3, b4);
    const e13 = chi(b3, b4, b0), e14 = chi(b4, b0, b1);

    b0 = rotl<u64>(a4 ^ d4, 27), b1 = rotl<u64>(a5 ^ d0, 36), b2 = rotl<u64>(a11 ^ d1, 10);
    b3 = rotl<u64>(a17 ^ d2, 15), b4 = rotl<u64>(a23 ^ d3, 56);
    const e15 = chi(b0, b1, b2), e16 = chi(b1, b2, b3), e17 = chi(b2, b3, b4);
    const e18 = chi(b3, b4, b0), e19 = chi(b4, b0, b1);

    b0 = rotl<u64>(a2 ^ d2, 62), b1 = rotl<u64>(a8 ^ d3, 55), b2 = rotl<u64>(a14 ^ d4, 39);
    b3 = rotl<u64>(a15 ^ d0, 41), b4 = rotl<u64>(a21 ^ d1, 2);
    a20 = chi(b0, b1, b2), a21 = chi(b1, b2, b3), a22 = chi(b2, b3, b4);
    a23 = chi(b3, b4, b0), a24 = chi(b4, b0, b1);

    a0 = e0, a1 = e1, a2 = e2, a3 = e3, a4 = e4, a5 = e5, a6 = e6, a7 = e7, a8 = e8, a9 = e9;
    a10 = e10, a11 = e11, a12 = e12, a13 = e13, a14 = e14;
    a15 = e15, a16 = e16, a17 = e17, a18 = e18, a19 = e19;
  }
  setLanes(0, a0, a1), setLanes(2, a2, a3), setLanes(4, a4, a5), setLanes(6, a6, a7), setLanes(8, a8, a9);
  setLanes(10, a10, a11), setLanes(12, a12, a13), setLanes(14, a14, a15), setLanes(16, a16, a17);
  setLanes(18, a18, a19), setLanes(20, a20, a21), setLanes(22, a22, a23);
  store<u64>(STATE, a24, 192);
}
