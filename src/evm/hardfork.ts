import { INIT_CODE_BYTES_MAX, OPERATION_GAS_MAX, OPERATION_GAS_OSAKA_MAX } from '../consensus.ts';
import type { AccessList } from '../protocol/index.ts';

/** The sets of EVM rules that the engine knows, the oldest first. */
export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** A set of EVM rules. */
export type Hardfork = (typeof HARDFORKS)[number];

/** The default rules. */
export const LATEST_HARDFORK: Hardfork = 'osaka';

/** Tests whether a fork is `first` or a later one. */
export function isSince(hardfork: Hardfork, first: Hardfork): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first);
}

const TRANSACTION = 21_000;
const CREATION = 32_000;
const ZERO_BYTE = 4;
const OTHER_BYTE = 16;
const INIT_CODE_WORD = 2;
const ACCESS_LIST_ADDRESS = 2_400;
const ACCESS_LIST_SLOT = 1_900;
const WORD_BYTES = 32;
const NO_ACCESS: AccessList = [];

/** EIP-7623: a zero byte of the data counts as one token, another one as four. */
const OTHER_BYTE_TOKENS = 4;
const FLOOR_TOKEN = 10;

const REFUND_QUOTIENT = 5n;

/** The parts of a transaction that its gas before the first instruction depends on. */
export interface IntrinsicGasInput {
  readonly data: Uint8Array;
  readonly creates: boolean;
  readonly accessList?: AccessList | undefined;
}

/** The gas of a message apart from what its code takes. */
export interface MessageGas {
  /** Taken before any code runs. */
  readonly intrinsic: bigint;
  /** The least that is charged in the end, whatever was used and refunded; 0 before Prague. */
  readonly floor: bigint;
}

/**
 * The gas of a message: yellow paper, section 6.2, with EIP-2028 (data), EIP-2930 (access list), from Shanghai
 * on EIP-3860 (init code), and from Prague on the floor of EIP-7623 (data).
 */
export function messageGas(hardfork: Hardfork, { data, creates, accessList }: IntrinsicGasInput): MessageGas {
  let zeros = 0;
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zeros++;
  const others = data.length - zeros;
  let intrinsic = TRANSACTION + zeros * ZERO_BYTE + others * OTHER_BYTE;
  if (creates) intrinsic += CREATION + (metersInitCode(hardfork) ? initCodeGas(data.length) : 0);
  for (const { storageKeys } of accessList ?? NO_ACCESS) {
    intrinsic += ACCESS_LIST_ADDRESS + storageKeys.length * ACCESS_LIST_SLOT;
  }
  const tokens = zeros + others * OTHER_BYTE_TOKENS;
  const floor = isSince(hardfork, 'prague') ? TRANSACTION + tokens * FLOOR_TOKEN : 0;
  return { intrinsic: BigInt(intrinsic), floor: BigInt(floor) };
}

/** Returns the least gas limit of a message: its intrinsic gas, or its floor where that is more. */
export function intrinsicGas(hardfork: Hardfork, input: IntrinsicGasInput): bigint {
  return leastGas(messageGas(hardfork, input));
}

export function leastGas({ intrinsic, floor }: MessageGas): bigint {
  return greatest(floor, intrinsic);
}

/** Returns the gas that is charged: what was spent less the refund, at most a fifth of it (EIP-3529), or the floor. */
export function chargedGas(spent: bigint, refund: bigint, floor: bigint): bigint {
  const most = spent / REFUND_QUOTIENT;
  return greatest(spent - (refund < most ? refund : most), floor);
}

/** Returns the greater one. */
export function greatest(first: bigint, second: bigint): bigint {
  return first > second ? first : second;
}

/** Returns the most gas that one operation on contracts may offer (EIP-7825 from Osaka on). */
export function operationGasMax(hardfork: Hardfork): bigint {
  return isSince(hardfork, 'osaka') ? OPERATION_GAS_OSAKA_MAX : OPERATION_GAS_MAX;
}

/** Tests whether the fork refuses a creation with so much init code (EIP-3860). */
export function exceedsInitCode(hardfork: Hardfork, length: number): boolean {
  return metersInitCode(hardfork) && length > INIT_CODE_BYTES_MAX;
}

function metersInitCode(hardfork: Hardfork): boolean {
  return isSince(hardfork, 'shanghai');
}

function initCodeGas(length: number): number {
  return INIT_CODE_WORD * Math.ceil(length / WORD_BYTES);
}
