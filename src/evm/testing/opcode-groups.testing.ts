import { type Hardfork, isSince } from '../index.ts';

/** Opcodes that random programs choose from. */

/** ADD to SMOD, EXP, SIGNEXTEND, comparisons, AND to XOR, BYTE, SHL, SHR, SAR. */
export const BINARY_OPCODES = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a,
  0x1b, 0x1c, 0x1d,
] as const;
/** ADDMOD and MULMOD. */
export const TERNARY_OPCODES = [0x08, 0x09] as const;
/** BALANCE, EXTCODESIZE, EXTCODEHASH. */
export const ACCOUNT_OPCODES = [0x31, 0x3b, 0x3f] as const;
/** First and last number. */
type OpcodeRange = readonly [first: number, last: number];

/** Ranges of the numbers that no hard fork has an opcode for, and INVALID. */
export const ABSENT_OPCODES: readonly [OpcodeRange, ...OpcodeRange[]] = [
  [0x0c, 0x0f],
  [0x21, 0x2f],
  [0x4b, 0x4f],
  [0xa5, 0xef],
  [0xa5, 0xef],
  [0xf6, 0xf9],
  [0xfb, 0xfc],
  [0xfe, 0xfe],
];

/** Opcodes that push a fact of the frame, the transaction or the block. */
const ENVIRONMENT_OPCODES = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59,
  0x5a,
] as const;

export interface OpcodeGroups {
  readonly unary: readonly [number, ...number[]];
  readonly environment: readonly [number, ...number[]];
  /** TLOAD, TSTORE and MCOPY. */
  readonly hasTransientStorage: boolean;
}

/** The groups that differ between hard forks. */
export function opcodeGroups(hardfork: Hardfork): OpcodeGroups {
  const push0 = isSince(hardfork, 'shanghai') ? [0x5f] : [];
  const blobBaseFee = isSince(hardfork, 'cancun') ? [0x4a] : [];
  const clz = isSince(hardfork, 'osaka') ? [0x1e, 0x1e] : [];
  return {
    unary: [0x15, 0x19, ...clz],
    environment: [...ENVIRONMENT_OPCODES, ...push0, ...blobBaseFee],
    hasTransientStorage: isSince(hardfork, 'cancun'),
  };
}
