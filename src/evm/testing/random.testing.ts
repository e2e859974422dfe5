/** Random numbers and bytes that follow from a seed. */

/** A source of numbers that a seed determines. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** Creates a source of numbers (the generator Mulberry32) from a seed of 32 bits. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: <T>(values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0] };
}

/** Random bytes, a third of them zero. */
export function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => (random.below(3) ? random.below(256) : 0));
}

/** A random number of so many bytes, every one of them as likely. */
export function randomNumber(random: Random, length: number): bigint {
  let value = 0n;
  for (let count = 0; count < length; count += 1) value = (value << 8n) | BigInt(random.below(256));
  return value;
}
