/** SHA-256 (FIPS 180-4) of short inputs, for which a call of OpenSSL costs more than the hash. */

const BLOCK_BYTES: usize = 64;
const DIGEST_BYTES: usize = 32;
const LENGTH_BYTES: usize = 8;
const ROUNDS: usize = 64;
const WORD_BYTES: usize = 4;
/** Words of the schedule that are copied from the block. */
const BLOCK_WORDS: usize = 16;

/** The fractional parts of the square roots of the first eight primes. */
const INITIAL_STATE: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** The fractional parts of the cube roots of the first 64 primes. */
const CONSTANTS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

const state: usize = memory.data(32, 16);
const schedule: usize = memory.data(256, 16);

/** Writes the digest of `length` bytes. Overwrites up to 72 bytes after the input with its padding. */
export function sha256(input: usize, length: usize, output: usize): void {
  const padded = (length + LENGTH_BYTES + BLOCK_BYTES) & ~(BLOCK_BYTES - 1);
  memory.fill(input + length, 0, padded - length);
  store<u8>(input + length, 0x80);
  store<u64>(input + padded - LENGTH_BYTES, bswap<u64>((<u64>length) << 3));
  memory.copy(state, INITIAL_STATE, DIGEST_BYTES);
  for (let offset: usize = 0; offset < padded; offset += BLOCK_BYTES) compress(input + offset);
  for (let offset: usize = 0; offset < DIGEST_BYTES; offset += WORD_BYTES) {
    store<u32>(output + offset, bswap<u32>(load<u32>(state + offset)));
  }
}

function compress(block: usize): void {
  expand(block);
  let a = load<u32>(state);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  let e = load<u32>(state, 16);
  let f = load<u32>(state, 20);
  let g = load<u32>(state, 24);
  let h = load<u32>(state, 28);
  for (let round: usize = 0; round < ROUNDS * WORD_BYTES; round += WORD_BYTES) {
    const rotatedE = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25);
    const chosen = g ^ (e & (f ^ g));
    const first = h + rotatedE + chosen + load<u32>(CONSTANTS + round) + load<u32>(schedule + round);
    const rotatedA = rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22);
    const majority = (a & b) | (c & (a | b));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + rotatedA + majority;
  }
  store<u32>(state, load<u32>(state) + a);
  store<u32>(state, load<u32>(state, 4) + b, 4);
  store<u32>(state, load<u32>(state, 8) + c, 8);
  store<u32>(state, load<u32>(state, 12) + d, 12);
  store<u32>(state, load<u32>(state, 16) + e, 16);
  store<u32>(state, load<u32>(state, 20) + f, 20);
  store<u32>(state, load<u32>(state, 24) + g, 24);
  store<u32>(state, load<u32>(state, 28) + h, 28);
}

/** Fills the schedule from a block. */
function expand(block: usize): void {
  for (let index: usize = 0; index < BLOCK_WORDS * WORD_BYTES; index += WORD_BYTES) {
    store<u32>(schedule + index, bswap<u32>(load<u32>(block + index)));
  }
  for (let index = BLOCK_WORDS * WORD_BYTES; index < ROUNDS * WORD_BYTES; index += WORD_BYTES) {
    const target = schedule + index;
    const early = load<u32>(target - 15 * WORD_BYTES);
    const late = load<u32>(target - 2 * WORD_BYTES);
    const rotatedEarly = rotr<u32>(early, 7) ^ rotr<u32>(early, 18) ^ (early >> 3);
    const rotatedLate = rotr<u32>(late, 17) ^ rotr<u32>(late, 19) ^ (late >> 10);
    const sum = load<u32>(target - 16 * WORD_BYTES) + load<u32>(target - 7 * WORD_BYTES);
    store<u32>(target, sum + rotatedEarly + rotatedLate);
  }
}
