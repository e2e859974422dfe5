/**
 * The path of the running frame: its last instructions since it began or continued after an inner frame. While paths
 * are traced, every rule that the run loop reads rejects, except that of the opcode that ran last, so that the loop
 * stops where another one follows: code without a path does no work for one.
 */

import * as layout from './layout';

let isTraced: bool = false;
/** Instructions of the path; 0 while paths are not traced. */
export let pathLength: u32 = 0;
/** The opcode of the last of them. */
let lastOpcode: u32 = 0;

/** Makes the run loop read the rules of the hard fork. */
export function copyRules(): void {
  memory.copy(layout.RUNNING_RULES, layout.OPCODE_RULES, 256 * layout.RULE_BYTES);
}

/** Sets if the run loop records the path of each frame. */
export function setPathTracing(isTracing: bool): void {
  if (isTraced && !isTracing) copyRules();
  isTraced = isTracing;
  pathLength = 0;
  if (!isTracing) return;
  for (let opcode: u32 = 0; opcode < 256; opcode++) rejectNext(opcode);
}

/** Begins the path of a frame that begins or continues. */
@inline
export function beginPath(): void {
  if (!pathLength) return;
  rejectNext(lastOpcode);
  pathLength = 0;
}

/** Returns true if a rule rejected an opcode only for the path. */
@inline
export function isStopOfPath(opcode: u32): bool {
  return isTraced && !(pathLength && opcode == lastOpcode);
}

/** Appends an instruction to the path, and makes the run loop accept its opcode. */
export function continuePath(address: usize, opcode: u32): void {
  if (pathLength) rejectNext(lastOpcode);
  lastOpcode = opcode;
  const offset = <usize>opcode * layout.RULE_BYTES;
  memory.copy(layout.RUNNING_RULES + offset, layout.OPCODE_RULES + offset, layout.RULE_BYTES);
  store<u32>(layout.TRACED_PATH + <usize>((pathLength & (layout.TRACED_PATH_CAPACITY - 1)) << 2), <u32>address);
  pathLength++;
}

/** Makes the run loop stop at the next instruction with an opcode. */
function rejectNext(opcode: u32): void {
  const rule = layout.RUNNING_RULES + <usize>opcode * layout.RULE_BYTES;
  store<u32>(rule, layout.UNREACHABLE_HEIGHT, layout.RULE_MIN_HEIGHT);
  store<u32>(rule, 0, layout.RULE_HEIGHT_RANGE);
}
