/**
 * A rule for each of the 256 opcodes: its fixed gas, the minimum height of the stack (its operands), and the range of
 * heights above it (so that its results fit). With heights in bytes, one unsigned comparison detects underflow and
 * overflow. An opcode that the hard fork does not define has a minimum height that no stack reaches. The run loop reads a
 * copy of the rules, which rejects more of them while paths are traced (`paths.ts`).
 */

import { JUMP, OPCODES, OPCODES_END, OPCODES_ROW_BYTES } from '../../../build/evm/opcodes';
import { defineFusedOpcodes, isFused } from './fusion';
import { outOfGas, ZERO } from './gas';
import { frame, saveRegisters } from './frames';
import { INVALID_OPCODE, PATH_RECORDED, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt';
import * as layout from './layout';
import { continuePath, copyRules, isStopOfPath } from './paths';
import { traceFailure } from './tracing';
import { WORD_BYTES } from './word';

/** Writes the rules of a hard fork. */
export function writeOpcodeRules(hardfork: i32): void {
  for (let opcode: usize = 0; opcode < 256; opcode++) writeRule(opcode, ZERO, 0, layout.UNREACHABLE_HEIGHT, 0);
  for (let row = OPCODES; row < OPCODES_END; row += OPCODES_ROW_BYTES) {
    const first = load<i32>(row, 16);
    if (hardfork >= first) define(load<u32>(row), load<u32>(row, 4), load<u32>(row, 8), load<u32>(row, 12));
  }
  defineFusedOpcodes();
  copyRules();
}

/** Appends an instruction to the path, and makes the run loop load its registers and run it. */
function continueTraced(address: usize, opcode: u32, height: i32, gas: i64): i64 {
  continuePath(address, opcode);
  saveRegisters(address, <usize>load<u32>(frame, layout.FRAME_STACK_BASE) + <usize>height, gas);
  return -(<i64>PATH_RECORDED);
}

/**
 * Returns the negated code of the halt at an address of the running code, whose rule rejects the height of the stack or
 * the gas. The first failing instruction of a fused sequence determines the code. Returns the negated
 * PATH_RECORDED if the rule only stops the run loop for the path.
 */
export function ruleFailure(address: usize, height: i32, gas: i64): i64 {
  const running = <u32>load<u8>(address);
  if (isStopOfPath(running)) return continueTraced(address, running, height, gas);
  const code = <usize>load<u32>(frame, layout.FRAME_CODE);
  let original = address - <usize>load<u32>(code, layout.CODE_FUSED) + <usize>load<u32>(code, layout.CODE_START);
  let left = gas;
  while (true) {
    const opcode = <usize>load<u8>(original);
    const rule = layout.OPCODE_RULES + opcode * layout.RULE_BYTES;
    const minHeight = load<i32>(rule, layout.RULE_MIN_HEIGHT);
    const maxHeight = minHeight + load<i32>(rule, layout.RULE_HEIGHT_RANGE);
    traceFailure(<u32>opcode, height, height < minHeight ? minHeight : maxHeight);
    if (minHeight == layout.UNREACHABLE_HEIGHT || isFused(<u32>opcode)) return -(<i64>INVALID_OPCODE);
    if (height < minHeight) return -(<i64>STACK_UNDERFLOW);
    if (height > maxHeight) return -(<i64>STACK_OVERFLOW);
    left -= <i64>load<u32>(rule, layout.RULE_GAS);
    if (left < 0 || opcode == JUMP) return outOfGas();
    height += load<i32>(rule, layout.RULE_STACK_CHANGE);
    original += <usize>load<u8>(layout.OPCODE_LENGTHS + opcode);
  }
}

function define(opcode: usize, gas: u32, pops: u32, pushes: u32): void {
  const minHeight = pops * <u32>WORD_BYTES;
  const maxHeight = <u32>layout.FRAME_STACK_BYTES - (pushes > pops ? (pushes - pops) * <u32>WORD_BYTES : 0);
  const change = (<i32>pushes - <i32>pops) * <i32>WORD_BYTES;
  writeRule(opcode, gas, change, minHeight, maxHeight - minHeight);
}

function writeRule(opcode: usize, gas: u32, change: i32, minHeight: u32, heightRange: u32): void {
  const rule = layout.OPCODE_RULES + opcode * layout.RULE_BYTES;
  store<u32>(rule, gas, layout.RULE_GAS);
  store<i32>(rule, change, layout.RULE_STACK_CHANGE);
  store<u32>(rule, minHeight, layout.RULE_MIN_HEIGHT);
  store<u32>(rule, heightRange, layout.RULE_HEIGHT_RANGE);
}
