import { CONTRACT_CODE_BYTES_MAX, OPERATION_GAS_MAX, OPERATION_GAS_OSAKA_MAX } from '../consensus.ts';
import type { AccessList, AuthorizationList } from '../protocol/index.ts';

/** The hard forks that the engine supports, the oldest first. */
export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

/** A hard fork: a set of EVM rules. */
export type Hardfork = (typeof HARDFORKS)[number];

/** The default rules. */
export const LATEST_HARDFORK: Hardfork = 'osaka';

/** True if a hard fork is `first` or later. */
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
/** EIP-7702: for each entry, as if its account did not exist; the engine refunds the difference. */
const AUTHORIZATION = 25_000;
const WORD_BYTES = 32;
const NO_ACCESS: AccessList = [];

/** EIP-7623: a zero byte of the data is one token, any other byte four. */
const OTHER_BYTE_TOKENS = 4;
const FLOOR_TOKEN = 10;

const REFUND_QUOTIENT = 5n;

/** The parts of a transaction that determine its intrinsic gas. */
export interface IntrinsicGasInput {
  readonly data: Uint8Array;
  readonly creates: boolean;
  readonly accessList?: AccessList | undefined;
  readonly authorizationList?: AuthorizationList | undefined;
}

/** The gas of a message apart from that of its code. */
export interface MessageGas {
  /** Gas charged before any code runs. */
  readonly intrinsic: bigint;
  /** Minimum gas charged at the end, regardless of use and refunds; 0 before Prague. */
  readonly floor: bigint;
}

/**
 * Computes the gas of a message: yellow paper, section 6.2, with EIP-2028 (data), EIP-2930 (access list), from Shanghai
 * on EIP-3860 (init code), and from Prague on EIP-7702 (authorizations) and the floor of EIP-7623 (data).
 */
export function messageGas(
  hardfork: Hardfork,
  { data, creates, accessList, authorizationList }: IntrinsicGasInput,
): MessageGas {
  let zeros = 0;
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zeros++;
  const others = data.length - zeros;
  let intrinsic = TRANSACTION + zeros * ZERO_BYTE + others * OTHER_BYTE;
  if (creates) intrinsic += CREATION + (metersInitCode(hardfork) ? initCodeGas(data.length) : 0);
  for (const { storageKeys } of accessList ?? NO_ACCESS) {
    intrinsic += ACCESS_LIST_ADDRESS + storageKeys.length * ACCESS_LIST_SLOT;
  }
  if (authorizationList !== undefined) intrinsic += authorizationList.length * AUTHORIZATION;
  const tokens = zeros + others * OTHER_BYTE_TOKENS;
  const floor = isSince(hardfork, 'prague') ? TRANSACTION + tokens * FLOOR_TOKEN : 0;
  return { intrinsic: BigInt(intrinsic), floor: BigInt(floor) };
}

/** Returns the minimum gas limit of a message: the larger of its intrinsic gas and its floor. */
export function intrinsicGas(hardfork: Hardfork, input: IntrinsicGasInput): bigint {
  const { intrinsic, floor } = messageGas(hardfork, input);
  return maximum(floor, intrinsic);
}

/**
 * Returns the charged gas: spent gas minus the refund, which is at most a fifth of it (EIP-3529); at least the floor.
 */
export function chargedGas(spent: bigint, refund: bigint, floor: bigint): bigint {
  const refundMax = spent / REFUND_QUOTIENT;
  return maximum(spent - (refund < refundMax ? refund : refundMax), floor);
}

export function maximum(first: bigint, second: bigint): bigint {
  return first > second ? first : second;
}

/** Returns the maximum gas limit of an operation on contracts (EIP-7825 from Osaka on). */
export function operationGasMax(hardfork: Hardfork): bigint {
  return isSince(hardfork, 'osaka') ? OPERATION_GAS_OSAKA_MAX : OPERATION_GAS_MAX;
}

/** The rules of an execution. */
export interface EvmRules {
  readonly hardfork: Hardfork;
  /** Most bytes of a contract's code; absent: those of EIP-170. */
  readonly codeSizeLimit?: number | undefined;
}

/** Returns the most bytes of init code: twice those of code (EIP-3860, Shanghai); before that hard fork any number. */
export function initCodeBytesMax({ hardfork, codeSizeLimit = CONTRACT_CODE_BYTES_MAX }: EvmRules): number {
  return metersInitCode(hardfork) ? 2 * codeSizeLimit : Number.POSITIVE_INFINITY;
}

function metersInitCode(hardfork: Hardfork): boolean {
  return isSince(hardfork, 'shanghai');
}

function initCodeGas(length: number): number {
  return INIT_CODE_WORD * Math.ceil(length / WORD_BYTES);
}
