import { BLOB_GAS } from '../../consensus.ts';
import { type Hardfork, isSince } from '../../evm/index.ts';
import type { BlobSchedule } from './ethereum-features.ts';

/** The base fee of blob gas without excess (EIP-4844). */
const LOWEST_BLOB_BASE_FEE = 1n;
/** Gas of execution to which the price of a blob is bound (EIP-7918). */
const BLOB_BASE_COST = 8_192n;

/** Approximates `factor * e ** (numerator / denominator)` by its Taylor series (EIP-4844). */
function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let output = 0n;
  let term = factor * denominator;
  for (let index = 1n; term > 0n; index += 1n) {
    output += term;
    term = (term * numerator) / (denominator * index);
  }
  return output / denominator;
}

/**
 * Returns the base fee of a unit of blob gas in wei, by the excess of blob gas before the block (EIP-4844); without a
 * schedule the minimum.
 */
export function blobBaseFeeOf(
  excessBlobGas: bigint,
  schedule: Pick<BlobSchedule, 'baseFeeUpdateFraction'> | undefined,
): bigint {
  if (excessBlobGas === 0n || schedule === undefined) return LOWEST_BLOB_BASE_FEE;
  return fakeExponential(LOWEST_BLOB_BASE_FEE, excessBlobGas, BigInt(schedule.baseFeeUpdateFraction));
}

/** Mainnet's schedules by hard fork (EIP-4844, EIP-7691, EIP-7892: the second change after Osaka). */
const MAINNET_SCHEDULES: readonly (BlobSchedule & { readonly since: Hardfork })[] = [
  { since: 'osaka', target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
  { since: 'prague', target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  { since: 'cancun', target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
];

/** Returns mainnet's present blob schedule of a hard fork; undefined before Cancun. */
export function mainnetBlobSchedule(hardfork: Hardfork): BlobSchedule | undefined {
  const found = MAINNET_SCHEDULES.find(({ since }) => isSince(hardfork, since));
  if (found === undefined) return undefined;
  const { since: _, ...schedule } = found;
  return schedule;
}

/** A block, as the excess of blob gas of the next one follows from it. */
interface BlobGasParent {
  readonly excessBlobGas: bigint;
  readonly blobGasUsed: bigint;
  /** Wei for a unit of gas. */
  readonly baseFee: bigint;
}

/** Returns the excess of blob gas of the next block (EIP-4844, EIP-7691; from Osaka on EIP-7918). */
export function excessBlobGasAfter(
  { excessBlobGas, blobGasUsed, baseFee }: BlobGasParent,
  schedule: BlobSchedule,
  hardfork: Hardfork,
): bigint {
  const total = excessBlobGas + blobGasUsed;
  const target = BigInt(schedule.target * BLOB_GAS);
  if (total < target) return 0n;
  const reserve = BLOB_BASE_COST * baseFee;
  const isBelowReserve = reserve > BigInt(BLOB_GAS) * blobBaseFeeOf(excessBlobGas, schedule);
  if (!isSince(hardfork, 'osaka') || !isBelowReserve) return total - target;
  return excessBlobGas + (blobGasUsed * BigInt(schedule.max - schedule.target)) / BigInt(schedule.max);
}
