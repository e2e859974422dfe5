import { BASE_FEE_MAX, BLOB_BASE_COST, BLOB_BASE_FEE_MIN, BLOB_GAS } from '../../consensus.ts';
import { type Hardfork, isSince } from '../../evm/index.ts';
import type { SignedBlockHeader } from '../../protocol/index.ts';
import { statedSettings } from './block-settings.ts';
import type { BlobSchedule, EthereumFeatures } from './ethereum-features.ts';
import type { ForkOrigin } from './fork-origin.ts';

/** The prices of a block. */
export interface BlockPrices {
  /** Wei for a unit of gas. */
  readonly baseFee: bigint;
  /** Blob gas above the target, added up over all blocks: the price of blob gas follows from it (EIP-4844). */
  readonly excessBlobGas: bigint;
}

/** The prices of a block and the gas that it used, from which the prices of the next block follow. */
export interface BlockFees extends BlockPrices {
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
}

/** The rules of prices. */
export type PriceRules = Pick<EthereumFeatures, 'fees' | 'blobs'> & {
  readonly blockGasLimit: bigint;
  readonly hardfork: Hardfork;
  readonly fork?: Pick<ForkOrigin, 'number' | 'excessBlobGas'> | undefined;
};

type HeaderRoots = Pick<SignedBlockHeader, 'vmRoot'>;

/** Index in `vm_root` of the fees, behind the state roots. */
const FEES_INDEX = 2;
/** Hexadecimal digits of the base fee, and of each of the other numbers. */
const BASE_FEE_DIGITS = 32;
const NUMBER_DIGITS = 16;
const FEES = /^[0-9a-f]{80}$/;
const NO_BLOB_GAS = { excessBlobGas: 0n, blobGasUsed: 0n };

/** Returns true if headers state fees: the prices of a block do not follow from the genesis alone. */
export function headersStateFees({ fees, blobs }: PriceRules): boolean {
  return fees.type === 'eip1559' || blobs !== undefined;
}

/** Formats the fees of a block for its `vm_root`. */
export function formatFees({ baseFee, gasUsed, excessBlobGas, blobGasUsed }: BlockFees): string {
  const numbers = [gasUsed, excessBlobGas, blobGasUsed].map((number) => hex(number, NUMBER_DIGITS));
  return hex(baseFee, BASE_FEE_DIGITS) + numbers.join('');
}

function hex(number: bigint, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

/** The fees that were read last: those of the head are read for each pending transaction. */
let lastRead: { readonly text: string; readonly fees: BlockFees } | undefined;

/** Returns the fees that a header states; undefined for a header without them. */
function statedFees({ vmRoot }: HeaderRoots): BlockFees | undefined {
  const text = vmRoot[FEES_INDEX];
  if (text === undefined) return undefined;
  if (text === lastRead?.text) return lastRead.fees;
  if (!FEES.test(text)) return undefined;
  const numberAt = (index: number): bigint => {
    const start = BASE_FEE_DIGITS + index * NUMBER_DIGITS;
    return BigInt(`0x${text.slice(start, start + NUMBER_DIGITS)}`);
  };
  const baseFee = BigInt(`0x${text.slice(0, BASE_FEE_DIGITS)}`);
  const fees = { baseFee, gasUsed: numberAt(0), excessBlobGas: numberAt(1), blobGasUsed: numberAt(2) };
  lastRead = { text, fees };
  return fees;
}

/** Returns the prices of a block with this header, and the blob gas that it used. */
export function blockFeesOf(
  header: HeaderRoots,
  rules: PriceRules,
): BlockPrices & { readonly blobGasUsed: bigint } {
  return statedFees(header) ?? { baseFee: constantBaseFee(rules), ...NO_BLOB_GAS };
}

/** Returns the base fee of chains where it is constant, and the first one of others. */
export function constantBaseFee({ fees }: PriceRules): bigint {
  switch (fees.type) {
    case 'fixed':
      return fees.price;
    case 'eip1559':
      return fees.initialBaseFee;
  }
}

/**
 * Returns the prices of the block after one with this header (EIP-1559, EIP-4844, EIP-7918).
 * @param number of the block with the header: the genesis block does not count as an empty one
 */
export function pricesAfter(number: number, header: HeaderRoots, rules: PriceRules): BlockPrices {
  const parent = statedFees(header);
  if (parent === undefined || number === (rules.fork?.number ?? 0))
    return { baseFee: constantBaseFee(rules), excessBlobGas: rules.fork?.excessBlobGas ?? 0n };
  const { gasLimit = rules.blockGasLimit } = statedSettings(header) ?? {};
  return pricesAfterFees(
    parent,
    gasLimit === rules.blockGasLimit ? rules : { ...rules, blockGasLimit: gasLimit },
  );
}

/** Returns the prices of the block after one with these fees, which may be simulated. */
export function pricesAfterFees(parent: BlockFees, rules: PriceRules): BlockPrices {
  const { blobs, hardfork } = rules;
  const excessBlobGas = blobs === undefined ? 0n : excessBlobGasAfter(parent, blobs, hardfork);
  return { baseFee: baseFeeAfter(parent, rules), excessBlobGas };
}

/** Source: EIP-1559, with the parameters of the chain. */
function baseFeeAfter({ baseFee, gasUsed }: BlockFees, rules: PriceRules): bigint {
  const { fees, blockGasLimit } = rules;
  if (fees.type !== 'eip1559') return constantBaseFee(rules);
  const { elasticity, denominator, minimum } = fees;
  const target = atLeastOne(blockGasLimit / BigInt(elasticity));
  if (gasUsed === target) return baseFee;
  const distance = gasUsed > target ? gasUsed - target : target - gasUsed;
  const change = (baseFee * distance) / target / BigInt(denominator);
  if (gasUsed > target) {
    const next = baseFee + (change > 1n ? change : 1n);
    return next < BASE_FEE_MAX ? next : BASE_FEE_MAX;
  }
  const next = baseFee - change;
  return next > minimum ? next : minimum;
}

/** A test can set a gas limit without gas for a target. */
const atLeastOne = (gas: bigint): bigint => (gas > 0n ? gas : 1n);

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
  if (excessBlobGas === 0n || schedule === undefined) return BLOB_BASE_FEE_MIN;
  return fakeExponential(BLOB_BASE_FEE_MIN, excessBlobGas, BigInt(schedule.baseFeeUpdateFraction));
}

/** Returns the excess of blob gas of the next block (EIP-4844, EIP-7691; from Osaka on EIP-7918). */
export function excessBlobGasAfter(
  { excessBlobGas, blobGasUsed, baseFee }: Omit<BlockFees, 'gasUsed'>,
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
