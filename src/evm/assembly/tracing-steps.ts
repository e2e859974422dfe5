/** Tracing of places in the code, which knows the frames. */

import { codeStart, frameCount } from './frames';
import { step } from './host';
import * as layout from './layout';
import { memorySize } from './memory';
import { hearsCalls, hearsSteps } from './tracing';
import { WORD_BYTES } from './word';

/** Instructions since the frame began or went on after a call. */
let pathLength: u32 = 0;

/** Begins the path of a frame that begins or goes on. */
@inline
export function beginPath(): void {
  if (TRACING != 0) pathLength = 0;
}

/** Notes that the instruction at a place is the next one of the path. */
@inline
export function tracePath(programCounter: usize): void {
  if (TRACING != 0) {
    if (!hearsCalls) return;
    store<u32>(
      layout.TRACED_PATH + <usize>((pathLength & (layout.TRACED_PATH_CAPACITY - 1)) << 2),
      <u32>programCounter,
    );
    pathLength++;
  }
}

/** Notifies the host of the instruction that comes next: gas and stack are as they are before it. */
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
  if (TRACING != 0) {
    store<u32>(layout.TRACED_END, <u32>(programCounter - codeStart));
    store<u32>(layout.TRACED_PATH_LENGTH, pathLength);
    store<u32>(layout.TRACED_CODE_START, <u32>codeStart);
  }
}
