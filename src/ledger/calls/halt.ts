import type { HaltReason } from '../../evm/index.ts';

/** How Ethereum's clients word the ways in which code can halt. */
const DESCRIPTIONS: Readonly<Record<HaltReason, string>> = {
  outOfGas: 'out of gas',
  stackUnderflow: 'stack underflow',
  stackOverflow: 'stack limit reached 1024',
  invalidJump: 'invalid jump destination',
  invalidOpcode: 'invalid opcode',
  staticViolation: 'write protection',
  returnDataOutOfBounds: 'return data out of bounds',
  codeTooLarge: 'max code size exceeded',
  invalidCodePrefix: 'invalid code: must not begin with 0xef',
  createCollision: 'contract address collision',
  intrinsicGasTooLow: 'intrinsic gas too low',
  initCodeTooLarge: 'max initcode size exceeded',
  precompileFailure: 'precompiled contract failed',
  insufficientBalance: 'insufficient funds for transfer',
};

/** The sentence that tells a caller why an execution halted. */
export function describeHalt(reason: HaltReason): string {
  return DESCRIPTIONS[reason];
}
