import { BLOB_GAS } from '../../consensus.ts';
import type { BaseFees, Message } from '../../evm/index.ts';
import type { Address } from '../../protocol/index.ts';

/** The fees that a call offers for a unit of gas, in wei, as a transaction does (EIP-1559). With both 0 it is free. */
export interface CallFees {
  readonly feeCap: bigint;
  readonly tip: bigint;
  /** Maximum price of a unit of blob gas (EIP-4844), 0 for free blobs; undefined for a call without blobs. */
  readonly blobFeeCap?: bigint | undefined;
}

/** Returns what a call pays for a unit of gas at a base fee: base fee and tip, up to its cap. */
export function priceOf({ feeCap, tip }: CallFees, baseFee: bigint): bigint {
  return feeCap - baseFee < tip ? feeCap : baseFee + tip;
}

/**
 * Returns why the fees of a call do not suffice in a block, by geth's rules and in its order; undefined if they do.
 * @param enforces true to refuse fees of 0 below those of the block, too
 */
export function feeRefusal(
  sender: Address,
  { feeCap, tip, blobFeeCap }: CallFees,
  { baseFee, blobBaseFee }: BaseFees,
  enforces: boolean,
) {
  if (tip > feeCap) return { code: 'tipAboveFeeCap', sender, tip, feeCap } as const;
  const isLow = (cap: bigint, least: bigint): boolean => cap < least && (enforces || cap > 0n);
  if (isLow(feeCap, baseFee)) return { code: 'feeCapTooLow', sender, feeCap, baseFee } as const;
  if (blobFeeCap === undefined || !isLow(blobFeeCap, blobBaseFee)) return undefined;
  return { code: 'blobFeeCapTooLow', sender, feeCap: blobFeeCap, baseFee: blobBaseFee } as const;
}

/** Returns the wei that a sender needs to buy gas and blobs at the caps of its fees, besides the value. */
export function mostCost(
  { feeCap, blobFeeCap }: CallFees,
  gas: bigint,
  blobs: Message['blobHashes'],
): bigint {
  return gas * feeCap + blobCost(blobs, blobFeeCap);
}

/** Returns what blobs cost at a price of their gas, in wei. */
export function blobCost(blobs: Message['blobHashes'], price: bigint | undefined): bigint {
  return blobs === undefined || price === undefined ? 0n : BigInt(blobs.length * BLOB_GAS) * price;
}

/** Returns the prices of a block that a call sees: 0 for what it does not pay for, as in geth. */
export function visibleFees(block: BaseFees, fees: CallFees | undefined): BaseFees {
  if (fees === undefined) return block;
  const isFree = priceOf(fees, block.baseFee) === 0n;
  const isFreeOfBlobs = fees.blobFeeCap === 0n;
  if (!isFree && !isFreeOfBlobs) return block;
  return {
    baseFee: isFree ? 0n : block.baseFee,
    blobBaseFee: isFreeOfBlobs ? 0n : block.blobBaseFee,
  };
}
