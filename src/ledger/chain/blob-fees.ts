import { BLOB_GAS } from '../../consensus.ts';
import { type Hardfork, isSince } from '../../evm/index.ts';

/** The part of a blob schedule that prices need (EIP-7840). */
interface Schedule {
  /** Blobs of a block, on average and at most. */
  readonly target: number;
  readonly max: number;
  readonly baseFeeUpdateFraction: number;
}

/** The base fee of blob gas without excess (EIP-4844). */
const BLOB_BASE_FEE_MIN = 1n;
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

/** Returns the base fee of a unit of blob gas in wei, by the excess of blob gas before the block (EIP-4844). */
export function blobBaseFeeOf(excessBlobGas: bigint, { baseFeeUpdateFraction }: Schedule): bigint {
  if (excessBlobGas === 0n) return BLOB_BASE_FEE_MIN;
  return fakeExponential(BLOB_BASE_FEE_MIN, excessBlobGas, BigInt(baseFeeUpdateFraction));
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
  schedule: Schedule,
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
