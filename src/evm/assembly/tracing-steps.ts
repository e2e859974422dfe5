/** Tracing of places in the code, which knows the frames. */

import { codeStart, frameCount } from './frames';
import { step } from './host';
import { TRACED_END } from './layout';
import { memorySize } from './memory';
import { hearsSteps } from './tracing';
import { WORD_BYTES } from './word';

/** Tells the host of the instruction that comes next: gas and stack are as they are before it. */
@inline
export function traceStep(programCounter: usize, opcode: u32, gas: i64, base: usize, top: usize): void {
  if (TRACING == 1) {
    if (!hearsSteps) return;
    const height = <u32>((top - base) / WORD_BYTES);
    step(frameCount - 1, <u32>(programCounter - codeStart), opcode, gas, height, top, <u32>memorySize);
  }
}

/** Notes where the running frame's code has come to, behind the instruction that ended it. */
@inline
export function traceEnd(programCounter: usize): void {
  if (TRACING != 0) store<u32>(TRACED_END, <u32>(programCounter - codeStart));
}
