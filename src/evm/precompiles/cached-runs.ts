import { lazily } from '../../caching/lazily.ts';
import { identity, ripemd160, sha256 } from './hashes.ts';
import type { Precompile } from './precompile.ts';
import { ALL_CONTRACTS } from './registry.ts';
import { ResultCache } from './result-cache.ts';

/** Cached results of precompiled contracts, a power of two, and their bytes (32 MiB). */
const PRECOMPILE_CACHE_ENTRIES_MAX = 2 ** 19;
export const PRECOMPILE_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of such results that a worker forwards for one prewarming call (8 MiB). */
const FORWARDED_RESULTS_BYTES_MAX = 8 * 1024 * 1024;

/** Contracts that are about as fast as a lookup of their result. */
const FAST_CONTRACTS: ReadonlySet<Precompile> = new Set([sha256, ripemd160, identity]);

/** Numbers of the slow contracts in the cache, the same in all processes of the program. */
const NUMBERS: ReadonlyMap<Precompile, number> = new Map(
  ALL_CONTRACTS.filter((contract) => !FAST_CONTRACTS.has(contract)).map((contract, number) => [
    contract,
    number,
  ]),
);

/** The cache of all engines of the process: results depend on the input alone. */
const results = lazily(() => new ResultCache(PRECOMPILE_CACHE_ENTRIES_MAX, PRECOMPILE_CACHE_BYTES_MAX));

/**
 * Runs a contract, or returns its cached result. A transaction is executed when it is sent, perhaps in another process,
 * and again in its block. The gas is charged in either case.
 *
 * @param cost gas of this input
 */
export function runCached(
  contract: Precompile,
  input: Uint8Array,
  cost: bigint,
  checkTime?: () => void,
): Uint8Array | undefined {
  const number = NUMBERS.get(contract);
  // Not cached: an input with more bytes than gas could make lookups slow.
  if (number === undefined || cost < input.length) return contract.run(input, checkTime);
  return results().getOrCompute(number, input, () => contract.run(input, checkTime));
}

/** Runs a function. Returns its value, and the results of slow contracts that it used, for `importResults`. */
export function recordResults<T>(run: () => T): {
  readonly value: T;
  readonly results: readonly Uint8Array[];
} {
  results().beginRecording();
  let value: T;
  let recorded: readonly Uint8Array[] = [];
  try {
    value = run();
  } finally {
    recorded = results().endRecording(FORWARDED_RESULTS_BYTES_MAX);
  }
  return { value, results: recorded };
}

/** Caches results that another process of this program has recorded. */
export function importResults(piece: Uint8Array): void {
  results().importEntries(piece);
}
