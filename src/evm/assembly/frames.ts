/** The call stack: one frame for each running call. Calls do not recurse in Wasm. */

import * as layout from './layout';
import { logsCount, logsEnd } from './logs';
import { memorySize, memoryStart, setMemory } from './memory';
import { beginPath } from './paths';
import { refund } from './transaction-state';

/** The running frame; before the first one, the address below it. */
export let frame: usize = layout.FRAMES - layout.FRAME_BYTES;
/** Number of frames: 1 for the transaction's outermost. */
export let frameCount: u32 = 0;
/** Length of the return data: the output of the call that ended last. */
export let returnDataLength: usize = 0;

/** The running code: its first byte, its length, its map of jump destinations. */
export let codeStart: usize = 0;
export let codeLength: usize = 0;
export let jumpMap: usize = 0;

/** True if one more frame may run (the yellow paper's depth of 1,024). */
@inline
export function isBelowDepthLimit(): bool {
  return frameCount < layout.FRAMES_CAPACITY;
}

/** True if the running frame must not change state (EIP-214). */
@inline
export function isStatic(): bool {
  return (load<u32>(frame, layout.FRAME_FLAGS) & layout.FRAME_IS_STATIC) != 0;
}

/** Returns the account of the running frame, the owner of its storage. */
@inline
export function ownAccount(): usize {
  return <usize>load<u32>(frame, layout.FRAME_ACCOUNT);
}

/** Sets the length of the return data, which the caller has written. */
@inline
export function setReturnDataLength(length: usize): void {
  returnDataLength = length;
}

/** Resets to no running frame. */
export function resetFrames(): void {
  frame = layout.FRAMES - layout.FRAME_BYTES;
  frameCount = 0;
  returnDataLength = 0;
}

/**
 * Begins a frame. Its failure reverts the journal to `checkpoint`. The caller writes address, caller and value.
 */
export function pushFrame(
  gas: i64,
  code: usize,
  input: usize,
  inputLength: usize,
  flags: u32,
  account: usize,
  memoryAddress: usize,
  checkpoint: usize,
): void {
  const stackBase = frameCount ? <usize>load<u32>(frame, layout.FRAME_STACK_TOP) : <usize>layout.STACK;
  if (frameCount) store<u32>(frame, memorySize, layout.FRAME_MEMORY_SIZE);
  frame += layout.FRAME_BYTES;
  frameCount++;
  returnDataLength = 0;
  store<u32>(frame, load<u32>(code, layout.CODE_FUSED), layout.FRAME_PROGRAM_COUNTER);
  store<u32>(frame, stackBase, layout.FRAME_STACK_TOP);
  store<i64>(frame, gas, layout.FRAME_GAS);
  store<u32>(frame, stackBase, layout.FRAME_STACK_BASE);
  store<u32>(frame, memoryAddress, layout.FRAME_MEMORY_START);
  store<u32>(frame, 0, layout.FRAME_MEMORY_SIZE);
  store<u32>(frame, code, layout.FRAME_CODE);
  store<u32>(frame, input, layout.FRAME_INPUT);
  store<u32>(frame, inputLength, layout.FRAME_INPUT_LENGTH);
  store<u32>(frame, flags, layout.FRAME_FLAGS);
  store<u32>(frame, account, layout.FRAME_ACCOUNT);
  store<u32>(frame, checkpoint, layout.FRAME_JOURNAL_END);
  store<u32>(frame, logsEnd, layout.FRAME_LOGS_END);
  store<u32>(frame, logsCount, layout.FRAME_LOGS_COUNT);
  store<i64>(frame, refund, layout.FRAME_REFUND);
  store<i64>(frame, gas, layout.FRAME_GAS_AT_START);
  store<i64>(frame, 0, layout.FRAME_GAS_NEEDED);
  enterFrame();
}

/** Records that the running frame needed `needed` gas at a point where `left` was left. */
export function recordGasNeeded(left: i64, needed: i64): void {
  const atStart = load<i64>(frame, layout.FRAME_GAS_AT_START) - left + needed;
  if (atStart > load<i64>(frame, layout.FRAME_GAS_NEEDED)) store<i64>(frame, atStart, layout.FRAME_GAS_NEEDED);
}

/** Removes the running frame; its parent, if any, becomes the running one. */
export function popFrame(): void {
  frame -= layout.FRAME_BYTES;
  frameCount--;
  if (frameCount) enterFrame();
}

/** Returns the start of the memory of a child of the running frame. */
@inline
export function childMemoryStart(): usize {
  return memoryStart + memorySize;
}

/** Loads the values of the running frame that bodies of instructions read, and begins its path. */
function enterFrame(): void {
  beginPath();
  const code = <usize>load<u32>(frame, layout.FRAME_CODE);
  codeStart = <usize>load<u32>(code, layout.CODE_FUSED);
  codeLength = <usize>load<u32>(code, layout.CODE_LENGTH);
  jumpMap = <usize>load<u32>(code, layout.CODE_JUMP_MAP);
  setMemory(<usize>load<u32>(frame, layout.FRAME_MEMORY_START), <usize>load<u32>(frame, layout.FRAME_MEMORY_SIZE));
}

/** Saves the registers of the run loop into the running frame. */
@inline
export function saveRegisters(programCounter: usize, stackTop: usize, gas: i64): void {
  store<u32>(frame, programCounter, layout.FRAME_PROGRAM_COUNTER);
  store<u32>(frame, stackTop, layout.FRAME_STACK_TOP);
  store<i64>(frame, gas, layout.FRAME_GAS);
}
