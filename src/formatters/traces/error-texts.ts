import type { CallFailure, CallFrame } from '../../ledger/index.ts';
import { revertReason } from '../revert-reason.ts';

type Reason = CallFailure['reason'];

/** Error texts of failed calls in geth. */
const GETH_ERRORS: Readonly<Record<Reason, string | ((failure: CallFailure) => string)>> = {
  revert: 'execution reverted',
  outOfGas: 'out of gas',
  depositOutOfGas: 'contract creation code storage out of gas',
  stackUnderflow: ({ height, bound }) => `stack underflow (${height} <=> ${bound})`,
  stackOverflow: ({ height, bound }) => `stack limit reached ${height} (${bound})`,
  invalidJump: 'invalid jump destination',
  invalidOpcode: ({ instruction }) => `invalid opcode: ${instruction}`,
  staticViolation: 'write protection',
  returnDataOutOfBounds: 'return data out of bounds',
  codeTooLarge: 'max code size exceeded',
  invalidCodePrefix: 'invalid code: must not begin with 0xef',
  createCollision: 'contract address collision',
  callTooDeep: 'max call depth exceeded',
  insufficientBalance: 'insufficient balance for transfer',
  nonceOverflow: 'nonce uint64 overflow',
  precompileFailure: 'precompiled failed',
  balanceOverflow: 'balance overflow',
  intrinsicGasTooLow: 'intrinsic gas too low',
  initCodeTooLarge: 'max initcode size exceeded',
};

/** Error texts of Parity that differ from geth's. */
const PARITY_ERRORS: Readonly<Partial<Record<Reason, string>>> = {
  revert: 'Reverted',
  outOfGas: 'Out of gas',
  depositOutOfGas: 'Out of gas',
  codeTooLarge: 'Out of gas',
  stackUnderflow: 'Stack underflow',
  stackOverflow: 'Out of stack',
  invalidJump: 'Bad jump destination',
  invalidOpcode: 'Bad instruction',
  staticViolation: 'Mutable Call In Static Context',
  returnDataOutOfBounds: 'Out of bounds',
  precompileFailure: 'Built-in failed',
};

export function errorText(failure: CallFailure): string {
  const text = GETH_ERRORS[failure.reason];
  return typeof text === 'string' ? text : text(failure);
}

export function parityErrorText(failure: CallFailure): string {
  return PARITY_ERRORS[failure.reason] ?? errorText(failure);
}

/** Returns the text of a revert with `Error(string)` or `Panic(uint256)`; undefined for any other outcome. */
export function revertReasonOf({
  failure,
  output,
}: Pick<CallFrame, 'failure' | 'output'>): string | undefined {
  return failure?.reason === 'revert' ? revertReason(output) : undefined;
}

export function isCreation(kind: string): boolean {
  return kind === 'CREATE' || kind === 'CREATE2';
}
