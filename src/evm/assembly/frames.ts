/** The stack of frames: one for every running call. No call of the machine's own is behind them. */

import {
  CODE_FUSED,
  CODE_JUMP_MAP,
  CODE_LENGTH,
  FRAME_ACCOUNT,
  FRAME_BYTES,
  FRAME_CODE,
  FRAME_FLAGS,
  FRAME_GAS,
  FRAME_GAS_AT_START,
  FRAME_GAS_NEEDED,
  FRAME_INPUT,
  FRAME_INPUT_LENGTH,
  FRAME_IS_STATIC,
  FRAME_JOURNAL_END,
  FRAME_LOGS_COUNT,
  FRAME_LOGS_END,
  FRAME_MEMORY_SIZE,
  FRAME_MEMORY_START,
  FRAME_PROGRAM_COUNTER,
  FRAME_REFUND,
  FRAME_STACK_BASE,
  FRAME_STACK_TOP,
  FRAMES,
  FRAMES_CAPACITY,
  STACK,
} from './layout';
import { logsCount, logsEnd } from './logs';
import { memorySize, memoryStart, setMemory } from './memory';
import { refund } from './refund';

/** The running frame; before the first one, a place below it. */
export let frame: usize = FRAMES - FRAME_BYTES;
/** Frames that run: 1 for the transaction's own. */
export let frameCount: u32 = 0;
/** Length of the return data: the output of the call that ended last. */
export let returnDataLength: usize = 0;

/** The running code: its first byte, its length, its map of jump destinations. */
export let codeStart: usize = 0;
export let codeLength: usize = 0;
export let jumpMap: usize = 0;

/** Tests whether one more frame may run (the yellow paper's depth of 1,024). */
@inline
export function allowsDeeper(): bool {
  return frameCount < FRAMES_CAPACITY;
}

/** Tests whether the running frame must not change anything (EIP-214). */
@inline
export function isStatic(): bool {
  return (load<u32>(frame, FRAME_FLAGS) & FRAME_IS_STATIC) != 0;
}

/** Account that the running frame works on. */
@inline
export function ownAccount(): usize {
  return <usize>load<u32>(frame, FRAME_ACCOUNT);
}

/** Sets the length of the return data; whoever sets it has written the data. */
@inline
export function setReturnDataLength(length: usize): void {
  returnDataLength = length;
}

/** Before the first frame: no frame runs. */
export function resetFrames(): void {
  frame = FRAMES - FRAME_BYTES;
  frameCount = 0;
  returnDataLength = 0;
}

/**
 * Begins a frame, to be reverted to where the journal ended at `journalMark`. The caller writes address,
 * caller and value; the frame runs once `enterFrame` was called.
 */
export function pushFrame(
  gas: i64,
  code: usize,
  input: usize,
  inputLength: usize,
  flags: u32,
  account: usize,
  memoryAt: usize,
  journalMark: usize,
): void {
  const stackBase = frameCount ? <usize>load<u32>(frame, FRAME_STACK_TOP) : <usize>STACK;
  if (frameCount) store<u32>(frame, memorySize, FRAME_MEMORY_SIZE);
  frame += FRAME_BYTES;
  frameCount++;
  returnDataLength = 0;
  store<u32>(frame, load<u32>(code, CODE_FUSED), FRAME_PROGRAM_COUNTER);
  store<u32>(frame, stackBase, FRAME_STACK_TOP);
  store<i64>(frame, gas, FRAME_GAS);
  store<u32>(frame, stackBase, FRAME_STACK_BASE);
  store<u32>(frame, memoryAt, FRAME_MEMORY_START);
  store<u32>(frame, 0, FRAME_MEMORY_SIZE);
  store<u32>(frame, code, FRAME_CODE);
  store<u32>(frame, input, FRAME_INPUT);
  store<u32>(frame, inputLength, FRAME_INPUT_LENGTH);
  store<u32>(frame, flags, FRAME_FLAGS);
  store<u32>(frame, account, FRAME_ACCOUNT);
  store<u32>(frame, journalMark, FRAME_JOURNAL_END);
  store<u32>(frame, logsEnd, FRAME_LOGS_END);
  store<u32>(frame, logsCount, FRAME_LOGS_COUNT);
  store<i64>(frame, refund, FRAME_REFUND);
  store<i64>(frame, gas, FRAME_GAS_AT_START);
  store<i64>(frame, 0, FRAME_GAS_NEEDED);
  enterFrame();
}

/** Notes that the running frame, where so much gas was left, needed so much of it. */
export function needGas(left: i64, needed: i64): void {
  const atStart = load<i64>(frame, FRAME_GAS_AT_START) - left + needed;
  if (atStart > load<i64>(frame, FRAME_GAS_NEEDED)) store<i64>(frame, atStart, FRAME_GAS_NEEDED);
}

/** Ends the running frame; its parent, if there is one, runs on. */
export function popFrame(): void {
  frame -= FRAME_BYTES;
  frameCount--;
  if (frameCount) enterFrame();
}

/** Where the memory of a child of the running frame begins. */
@inline
export function childMemoryStart(): usize {
  return memoryStart + memorySize;
}

/** Loads what bodies of instructions read of the running frame. */
function enterFrame(): void {
  const code = <usize>load<u32>(frame, FRAME_CODE);
  codeStart = <usize>load<u32>(code, CODE_FUSED);
  codeLength = <usize>load<u32>(code, CODE_LENGTH);
  jumpMap = <usize>load<u32>(code, CODE_JUMP_MAP);
  setMemory(<usize>load<u32>(frame, FRAME_MEMORY_START), <usize>load<u32>(frame, FRAME_MEMORY_SIZE));
}

/** Saves the registers of the run loop into the running frame. */
@inline
export function saveRegisters(programCounter: usize, stackTop: usize, gas: i64): void {
  store<u32>(frame, programCounter, FRAME_PROGRAM_COUNTER);
  store<u32>(frame, stackTop, FRAME_STACK_TOP);
  store<i64>(frame, gas, FRAME_GAS);
}
