import type { CallFailure, CallFrame } from '../../ledger/index.ts';
import { revertReason } from '../revert-reason.ts';

type Reason = CallFailure['reason'];

/** Error texts of failed calls in Ethereum's clients. */
const ENDS: Readonly<Record<Reason, string | ((failure: CallFailure) => string)>> = {
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
  nonceAtEnd: 'nonce uint64 overflow',
  precompileFailure: 'precompiled failed',
  intrinsicGasTooLow: 'intrinsic gas too low',
  initCodeTooLarge: 'max initcode size exceeded',
};

/** Reasons for which Parity had other words. */
const PARITY_ENDS: Readonly<Partial<Record<Reason, string>>> = {
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

/** Returns the error text of a failed call in Ethereum's clients. */
export function endText(failure: CallFailure): string {
  const words = ENDS[failure.reason];
  return typeof words === 'string' ? words : words(failure);
}

/** Returns the error text of a failed call in Parity. */
export function parityEndText(failure: CallFailure): string {
  return PARITY_ENDS[failure.reason] ?? endText(failure);
}

/** Returns the text of a revert with `Error(string)` or `Panic(uint256)`; undefined for any other end. */
export function revertReasonOf({
  failure,
  output,
}: Pick<CallFrame, 'failure' | 'output'>): string | undefined {
  return failure?.reason === 'revert' ? revertReason(output) : undefined;
}

/** Tests whether a frame creates a contract. */
export function isCreation({ kind }: Pick<CallFrame, 'kind'>): boolean {
  return kind === 'CREATE' || kind === 'CREATE2';
}
