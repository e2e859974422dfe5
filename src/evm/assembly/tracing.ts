/**
 * Tracing: a call of the host before every instruction, in the traced build alone. The compiler is given the
 * constant TRACING, 0 or 1; with 0 the body below is empty, so the plain build pays nothing. In the traced build
 * no instruction is fused with another, and a jump does not go past its JUMPDEST.
 */

import { codeStart, frameCount } from './frames';
import { step } from './host';
import { memorySize } from './memory';
import { WORD_BYTES } from './word';

/** Whether this is the traced build: there every instruction passes through the dispatch by itself. */
export const IS_TRACED: bool = TRACING != 0;

/** Tells the host of the instruction that comes next: gas and stack are as they are before it. */
@inline
export function traceStep(programCounter: usize, opcode: u32, gas: i64, base: usize, top: usize): void {
  if (TRACING) {
    const height = <u32>((top - base) / WORD_BYTES);
    step(frameCount - 1, <u32>(programCounter - codeStart), opcode, gas, height, top, <u32>memorySize);
  }
}
