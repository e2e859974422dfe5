/** Tracing of the running frame's program counter. */

import { codeStart, frameCount } from './frames';
import { step } from './host';
import * as layout from './layout';
import { memorySize } from './memory';
import { pathLength } from './paths';
import { tracesSteps } from './tracing';
import { WORD_BYTES } from './word';

/** Notifies the host of the next instruction, with gas and stack before it. */
@inline
export function traceStep(programCounter: usize, opcode: u32, gas: i64, base: usize, top: usize): void {
  if (STEPS == 1) {
    if (!tracesSteps) return;
    const height = <u32>((top - base) / WORD_BYTES);
    step(frameCount - 1, <u32>(programCounter - codeStart), opcode, gas, height, top, <u32>memorySize);
  }
}

/** Records the program counter after the instruction that ended the frame, and the path. */
@inline
export function traceEnd(programCounter: usize): void {
  store<u32>(layout.TRACED_END, <u32>(programCounter - codeStart));
  store<u32>(layout.TRACED_PATH_LENGTH, pathLength);
  store<u32>(layout.TRACED_CODE_START, <u32>codeStart);
}
