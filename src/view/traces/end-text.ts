import type { CallFailure, CallFrame } from '../../ledger/index.ts';
import { revertReason } from '../revert-reason.ts';

/** How Ethereum's clients word why a call was no success. */
export function endText({ reason, instruction, height, bound }: CallFailure): string {
  switch (reason) {
    case 'revert':
      return 'execution reverted';
    case 'outOfGas':
      return 'out of gas';
    case 'depositOutOfGas':
      return 'contract creation code storage out of gas';
    case 'stackUnderflow':
      return `stack underflow (${height} <=> ${bound})`;
    case 'stackOverflow':
      return `stack limit reached ${height} (${bound})`;
    case 'invalidJump':
      return 'invalid jump destination';
    case 'invalidOpcode':
      return `invalid opcode: ${instruction}`;
    case 'staticViolation':
      return 'write protection';
    case 'returnDataOutOfBounds':
      return 'return data out of bounds';
    case 'codeTooLarge':
      return 'max code size exceeded';
    case 'invalidCodePrefix':
      return 'invalid code: must not begin with 0xef';
    case 'createCollision':
      return 'contract address collision';
    case 'callTooDeep':
      return 'max call depth exceeded';
    case 'insufficientBalance':
      return 'insufficient balance for transfer';
    case 'nonceAtEnd':
      return 'nonce uint64 overflow';
    case 'precompileFailure':
      return 'precompiled failed';
    case 'intrinsicGasTooLow':
      return 'intrinsic gas too low';
    case 'initCodeTooLarge':
      return 'max initcode size exceeded';
  }
}

/** How Parity worded it. */
export function parityEndText(failure: CallFailure): string {
  switch (failure.reason) {
    case 'revert':
      return 'Reverted';
    case 'outOfGas':
    case 'depositOutOfGas':
    case 'codeTooLarge':
      return 'Out of gas';
    case 'stackUnderflow':
      return 'Stack underflow';
    case 'stackOverflow':
      return 'Out of stack';
    case 'invalidJump':
      return 'Bad jump destination';
    case 'invalidOpcode':
      return 'Bad instruction';
    case 'staticViolation':
      return 'Mutable Call In Static Context';
    case 'returnDataOutOfBounds':
      return 'Out of bounds';
    case 'precompileFailure':
      return 'Built-in failed';
    default:
      return endText(failure);
  }
}

/** The text of a revert with `Error(string)` or `Panic(uint256)`; undefined of any other end. */
export function revertReasonOf({
  failure,
  output,
}: Pick<CallFrame, 'failure' | 'output'>): string | undefined {
  return failure?.reason === 'revert' ? revertReason(output) : undefined;
}

/** Whether a frame creates a contract. */
export function isCreation({ kind }: Pick<CallFrame, 'kind'>): boolean {
  return kind === 'CREATE' || kind === 'CREATE2';
}
