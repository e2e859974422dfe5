import { lazily } from '../../lazily.ts';
import {
  PASSED_ON_RESULTS_BYTES_MAX,
  REMEMBERED_RESULTS_BYTES_MAX,
  REMEMBERED_RESULTS_MAX,
} from '../../limits.ts';
import { blake2f } from './blake2f.ts';
import {
  bls12G1Add,
  bls12G1Msm,
  bls12G2Add,
  bls12G2Msm,
  bls12MapFp2ToG2,
  bls12MapFpToG1,
  bls12PairingCheck,
} from './bls12-381.ts';
import { bn254Add, bn254Mul, bn254Pairing } from './bn254.ts';
import { ecrecover } from './ecrecover.ts';
import { modexp, modexpOfOsaka } from './modexp.ts';
import { p256Verify } from './p256-verify.ts';
import { pointEvaluation } from './point-evaluation.ts';
import type { Precompile } from './precompile.ts';
import { ResultTable } from './result-table.ts';

/** Contracts that take long for what they are given; the others take hardly longer than looking for a result. */
const SLOW_CONTRACTS: readonly Precompile[] = [
  ...[ecrecover, modexp, modexpOfOsaka, p256Verify],
  ...[bn254Add, bn254Mul, bn254Pairing, blake2f, pointEvaluation],
  ...[bls12G1Add, bls12G1Msm, bls12G2Add, bls12G2Msm],
  ...[bls12PairingCheck, bls12MapFpToG1, bls12MapFp2ToG2],
];

/** The numbers by which the table knows them, the same in all processes of the program. */
const NUMBERS: ReadonlyMap<Precompile, number> = new Map(
  SLOW_CONTRACTS.map((contract, number) => [contract, number]),
);

/** What they gave, for all engines of the process: nothing but their input decides about it. */
const results = lazily(() => new ResultTable(REMEMBERED_RESULTS_MAX, REMEMBERED_RESULTS_BYTES_MAX));

/**
 * Runs a contract, or gives what it gave before: what was executed when it was sent is executed again in its block, and
 * perhaps in another process before. The gas is charged in either case.
 *
 * @param cost the gas of this input
 * @param checkTime as `Precompile.run` takes it
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

/**
 * Does work, and notes which results of slow contracts it asked for.
 *
 * @returns what the work returns, and the results in pieces that `takeResults` takes
 */
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
    noted = results().endNoting(PASSED_ON_RESULTS_BYTES_MAX);
  }
  return { value, results: noted };
}

/** Remembers results that another process of this program has noted. */
export function takeResults(piece: Uint8Array): void {
  results().takeIn(piece);
}
