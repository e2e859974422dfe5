import { duration, grouped } from '../progress.ts';

/** How far a search for a nonce is. */
interface SearchProgress {
  readonly hashes: number;
  /** Seconds since its beginning. */
  readonly seconds: number;
  /** Zero bits that are looked for. */
  readonly difficulty: number;
}

/**
 * Describes how far a search is. Every hash has the same chance, so what is expected does not shrink with what was
 * tried, and the share that is done is the chance that a search of so many hashes would be over.
 */
export function describeSearch({ hashes, seconds, difficulty }: SearchProgress) {
  const rate = seconds > 0 ? hashes / seconds : 0;
  const expected = rate > 0 ? `, ${duration(2 ** difficulty / rate)} expected` : '';
  return {
    share: -Math.expm1(-hashes / 2 ** difficulty),
    text: `${hashCount(hashes)}, ${(rate / 1e6).toFixed(2)} MH/s${expected}`,
  };
}

/** Writes a number of hashes with its thousands apart. */
export function hashCount(hashes: number): string {
  return `${grouped(hashes)} hashes`;
}
