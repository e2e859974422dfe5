/** Bits of a filter (1 MiB). With 400,000 keys in it, it recognises 99 of 100 others. */
const BITS = 2 ** 23;
const BITS_OF_WORD = 32;
/** The highest bits of a hash choose the bit of the filter. */
const SHIFT = BITS_OF_WORD - Math.log2(BITS);
const [FIRST_FACTOR, SECOND_FACTOR] = [0x85eb_ca6b, 0xc2b2_ae35];

/**
 * A Bloom filter: keys that were never added are recognised, except for a few. Keys that are chosen to collide cost a
 * look-up each, and nothing else.
 */
export class KeyFilter {
  readonly #words = new Uint32Array(BITS / BITS_OF_WORD);

  add(key: Uint8Array): void {
    const hash = hashOf(key);
    this.#set(hash);
    this.#set(Math.imul(hash, SECOND_FACTOR));
  }

  /** Returns false only for a key that was never added. */
  mayHave(key: Uint8Array): boolean {
    const hash = hashOf(key);
    return this.#has(hash) && this.#has(Math.imul(hash, SECOND_FACTOR));
  }

  #set(hash: number): void {
    const bit = hash >>> SHIFT;
    this.#words[bit >>> 5] = (this.#words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  #has(hash: number): boolean {
    const bit = hash >>> SHIFT;
    return ((this.#words[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

/** Offset of the last bytes of an address in a key of an account or a slot. */
const ADDRESS_END = 13;

/** Returns 32 bits that depend on the bytes by which keys differ: the table, the ends of the address and of the key. */
function hashOf(key: Uint8Array): number {
  const { length } = key;
  let hash = mixed(length | ((key[0] ?? 0) << 8), key, ADDRESS_END);
  hash = mixed(hash, key, ADDRESS_END + 4);
  hash = mixed(hash, key, length - 8);
  return Math.imul(mixed(hash, key, length - 4), SECOND_FACTOR);
}

/** Mixes four bytes into a hash; those outside of the key are zero. */
function mixed(hash: number, key: Uint8Array, start: number): number {
  const low = (key[start] ?? 0) | ((key[start + 1] ?? 0) << 8);
  const high = ((key[start + 2] ?? 0) << 16) | ((key[start + 3] ?? 0) << 24);
  const product = Math.imul(hash ^ low ^ high, FIRST_FACTOR);
  return product ^ (product >>> 15);
}
