import { INIT_CODE_BYTES_MAX } from '../limits.ts';
import { HARDFORKS, type Hardfork } from './hardfork.ts';
import type { AccessList } from './types.ts';

const TRANSACTION = 21_000n;
const CREATION = 32_000n;
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;
const INIT_CODE_WORD = 2n;
const ACCESS_LIST_ADDRESS = 2_400n;
const ACCESS_LIST_SLOT = 1_900n;
const WORD_BYTES = 32;

/** What the intrinsic gas of a message depends on. */
export interface IntrinsicGasInput {
  readonly data: Uint8Array;
  readonly creates: boolean;
  readonly accessList?: AccessList | undefined;
}

/**
 * Gas that a message costs before any code runs: yellow paper, section 6.2, with EIP-2028 (data), EIP-2930
 * (access list) and, from Shanghai on, EIP-3860 (init code).
 */
export function intrinsicGas(hardfork: Hardfork, { data, creates, accessList }: IntrinsicGasInput): bigint {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros++;
  let gas = TRANSACTION + BigInt(zeros) * ZERO_BYTE + BigInt(data.length - zeros) * OTHER_BYTE;
  if (creates) gas += CREATION + (metersInitCode(hardfork) ? initCodeGas(data.length) : 0n);
  for (const { storageKeys } of accessList ?? []) {
    gas += ACCESS_LIST_ADDRESS + BigInt(storageKeys.length) * ACCESS_LIST_SLOT;
  }
  return gas;
}

/** Whether the fork refuses a creation with so much init code (EIP-3860). */
export function exceedsInitCode(hardfork: Hardfork, length: number): boolean {
  return metersInitCode(hardfork) && length > INIT_CODE_BYTES_MAX;
}

function metersInitCode(hardfork: Hardfork): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf('shanghai');
}

function initCodeGas(length: number): bigint {
  return INIT_CODE_WORD * BigInt(Math.ceil(length / WORD_BYTES));
}
