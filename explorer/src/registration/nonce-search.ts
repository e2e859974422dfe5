/** A proof of work: docs/interface.md#registration. */
export interface SearchTask {
  /** 20 bytes. */
  readonly blockId: Uint8Array;
  /** A uint64. */
  readonly randNum: bigint;
  /** Zero bits that the hash must begin with, 0 to 256. */
  readonly difficulty: number;
}

const ROUNDS = 64;
const WORD_BITS = 32;
const WORDS_OF_BLOCK = 16;
/** Word of the block that holds the high half of the nonce. */
const HIGH_WORD = 8;
const LOW_WORD = 7;
const MESSAGE_BITS = 36 * 8;

/** The first 32 bits behind the point of a root of each of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const PRIMES = firstPrimes(ROUNDS);
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime), prime, 3));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime), prime, 2));

/**
 * Tries consecutive nonces. The hashed input has 36 bytes, so one block's last message word is the high half of the
 * nonce: that half is counted, and the rounds before it are computed once.
 */
export class NonceSearch {
  readonly #difficulty: number;
  /** The message schedule; the first 16 words are the block. */
  readonly #words = new Int32Array(ROUNDS);
  /** The eight state words after the rounds that do not depend on the counter. */
  readonly #midstate = new Int32Array(START.length);
  readonly #state = new Int32Array(START.length);
  #high: number;
  #low: number;

  /** @param firstNonce a uint64, the first one to try; what follows it differs in the high half first */
  constructor({ blockId, randNum, difficulty }: SearchTask, firstNonce: bigint) {
    this.#difficulty = difficulty;
    const bytes = new DataView(blockId.buffer, blockId.byteOffset, blockId.byteLength);
    for (let index = 0; index < 5; index += 1) this.#words[index] = bytes.getInt32(4 * index);
    this.#words[5] = swapped(Number(randNum & 0xffff_ffffn));
    this.#words[6] = swapped(Number(randNum >> 32n));
    this.#words[9] = 1 << 31;
    this.#words[WORDS_OF_BLOCK - 1] = MESSAGE_BITS;
    this.#low = Number(firstNonce & 0xffff_ffffn);
    this.#high = swapped(Number(firstNonce >> 32n));
    this.#prepare();
  }

  /** Tries the next `count` nonces. Returns the first that solves the task, undefined when none does. */
  run(count: number): bigint | undefined {
    for (let tried = 0; tried < count; tried += 1) {
      this.#words[HIGH_WORD] = this.#high;
      const found = this.#solves() ? this.#nonce() : undefined;
      this.#advance();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #nonce(): bigint {
    return (BigInt(swapped(this.#high) >>> 0) << 32n) | BigInt(this.#low);
  }

  /** Increments the high half in the block's byte order, then the low half. */
  #advance(): void {
    this.#high = (this.#high + 1) | 0;
    if (this.#high !== 0) return;
    this.#low = (this.#low + 1) >>> 0;
    this.#prepare();
  }

  /** Does the rounds before the word that is counted. */
  #prepare(): void {
    this.#words[LOW_WORD] = swapped(this.#low);
    this.#midstate.set(START);
    compress(this.#midstate, this.#words, 0, HIGH_WORD);
  }

  #solves(): boolean {
    const words = this.#words;
    expand(words);
    this.#state.set(this.#midstate);
    compress(this.#state, words, HIGH_WORD, ROUNDS);
    let bits = 0;
    for (let index = 0; index < START.length && bits < this.#difficulty; index += 1) {
      const zeros = Math.clz32(wordAt(this.#state, index) + wordAt(START, index));
      bits += zeros;
      if (zeros < WORD_BITS) break;
    }
    return bits >= this.#difficulty;
  }
}

/** Fills the message schedule behind its first 16 words (FIPS 180-4, 6.2.2). */
function expand(words: Int32Array): void {
  for (let index = WORDS_OF_BLOCK; index < ROUNDS; index += 1) {
    const early = wordAt(words, index - 15);
    const late = wordAt(words, index - 2);
    const small = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const large = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[index] = (wordAt(words, index - 16) + small + wordAt(words, index - 7) + large) | 0;
  }
}

/** Does rounds of the compression on a state. */
function compress(state: Int32Array, words: Int32Array, from: number, to: number): void {
  let a = wordAt(state, 0);
  let b = wordAt(state, 1);
  let c = wordAt(state, 2);
  let d = wordAt(state, 3);
  let e = wordAt(state, 4);
  let f = wordAt(state, 5);
  let g = wordAt(state, 6);
  let h = wordAt(state, 7);
  for (let round = from; round < to; round += 1) {
    const large1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + large1 + ((e & f) ^ (~e & g)) + wordAt(CONSTANTS, round) + wordAt(words, round)) | 0;
    const large0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (large0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
  state[4] = e;
  state[5] = f;
  state[6] = g;
  state[7] = h;
}

/** Returns the word at a valid index. */
function wordAt(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

/** The bytes of a word in the other order, as a signed number. */
function swapped(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

/** The first 32 bits behind the point of a root: the guess of the floating point, put right in whole numbers. */
function fraction(root: number, number: number, degree: number): number {
  const scaled = BigInt(number) << BigInt(WORD_BITS * degree);
  let guess = BigInt(Math.floor(root * 2 ** WORD_BITS));
  while (guess ** BigInt(degree) > scaled) guess -= 1n;
  while ((guess + 1n) ** BigInt(degree) <= scaled) guess += 1n;
  return Number(BigInt.asIntN(WORD_BITS, guess));
}
