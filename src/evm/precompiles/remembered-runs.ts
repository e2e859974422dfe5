import { lazily } from '../../lazily.ts';
import {
  FORWARDED_RESULTS_BYTES_MAX,
  PRECOMPILE_CACHE_BYTES_MAX,
  PRECOMPILE_CACHE_ENTRIES_MAX,
} from '../../limits.ts';
import { identity, ripemd160, sha256 } from './hashes.ts';
import type { Precompile } from './precompile.ts';
import { ALL_CONTRACTS } from './registry.ts';
import { ResultTable } from './result-table.ts';

/** Contracts that take hardly longer than looking for a result. */
const FAST_CONTRACTS: ReadonlySet<Precompile> = new Set([sha256, ripemd160, identity]);

/** Numbers of the slow contracts in the table, the same in all processes of the program. */
const NUMBERS: ReadonlyMap<Precompile, number> = new Map(
  ALL_CONTRACTS.filter((contract) => !FAST_CONTRACTS.has(contract)).map((contract, number) => [
    contract,
    number,
  ]),
);

/** Results for all engines of the process: they depend on the input alone. */
const results = lazily(() => new ResultTable(PRECOMPILE_CACHE_ENTRIES_MAX, PRECOMPILE_CACHE_BYTES_MAX));

/**
 * Runs a contract, or returns its remembered result: a transaction is executed when it is sent, perhaps in another
 * process, and again in its block. The gas is charged in either case.
 *
 * @param cost gas of this input
 */
export function runRemembering(
  contract: Precompile,
  input: Uint8Array,
  cost: bigint,
  checkTime?: () => void,
): Uint8Array | undefined {
  const number = NUMBERS.get(contract);
  // An input with more bytes than it costs gas may have been made long to make looking for it slow.
  if (number === undefined || cost < input.length) return contract.run(input, checkTime);
  return results().outputOf(number, input, () => contract.run(input, checkTime));
}

/** Does work, and returns beside its value the results of slow contracts that it used, for `takeResults`. */
export function notingResults<T>(work: () => T): {
  readonly value: T;
  readonly results: readonly Uint8Array[];
} {
  results().beginNoting();
  let value: T;
  let noted: readonly Uint8Array[] = [];
  try {
    value = work();
  } finally {
    noted = results().endNoting(FORWARDED_RESULTS_BYTES_MAX);
  }
  return { value, results: noted };
}

/** Remembers results that another process of this program has noted. */
export function takeResults(piece: Uint8Array): void {
  results().takeIn(piece);
}
