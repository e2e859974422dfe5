/**
 * One rule for each of the 256 opcodes: its fixed gas, the least height of the stack (the items it takes),
 * and how much higher the stack may be (so that what it gives still fits). With both heights in bytes, one
 * comparison without a sign finds underflow and overflow. What a fork does not define has a least height that
 * no stack has.
 */

import { JUMP, OPCODES, OPCODES_END, OPCODES_ROW_BYTES } from '../../../build/evm/opcodes';
import { defineFusedOpcodes, isFused } from './fusion';
import { outOfGas, ZERO } from './gas';
import { frame } from './frames';
import { INVALID_OPCODE, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt';
import * as layout from './layout';
import { traceFailure } from './tracing';
import { WORD_BYTES } from './word';

/** Least height of an undefined opcode: greater than any stack. */
const UNDEFINED_HEIGHT: i32 = 0xffff;

/** Writes the rules of a fork. */
export function writeOpcodeRules(fork: i32): void {
  for (let opcode: usize = 0; opcode < 256; opcode++) writeRule(opcode, ZERO, 0, UNDEFINED_HEIGHT, 0);
  for (let row = OPCODES; row < OPCODES_END; row += OPCODES_ROW_BYTES) {
    const first = load<i32>(row, 16);
    if (fork >= first) define(load<u32>(row), load<u32>(row, 4), load<u32>(row, 8), load<u32>(row, 12));
  }
  defineFusedOpcodes();
}

/**
 * The negated code of the halt at a place of the code that runs, where the rule does not allow this height of
 * the stack or this gas: of the first of the fused instructions that fails.
 */
export function ruleFailure(place: usize, height: i32, gas: i64): i64 {
  const code = <usize>load<u32>(frame, layout.FRAME_CODE);
  let original = place - <usize>load<u32>(code, layout.CODE_FUSED) + <usize>load<u32>(code, layout.CODE_START);
  let left = gas;
  while (true) {
    const opcode = <usize>load<u8>(original);
    const rule = layout.OPCODE_RULES + opcode * layout.RULE_BYTES;
    const least = load<i32>(rule, layout.RULE_LEAST_HEIGHT);
    const most = least + load<i32>(rule, layout.RULE_ROOM);
    traceFailure(<u32>opcode, height, height < least ? least : most);
    if (least == UNDEFINED_HEIGHT || isFused(<u32>opcode)) return -(<i64>INVALID_OPCODE);
    if (height < least) return -(<i64>STACK_UNDERFLOW);
    if (height > most) return -(<i64>STACK_OVERFLOW);
    left -= <i64>load<u32>(rule, layout.RULE_GAS);
    if (left < 0 || opcode == JUMP) return outOfGas();
    height += load<i32>(rule, layout.RULE_CHANGE);
    original += <usize>load<u8>(layout.OPCODE_LENGTHS + opcode);
  }
}

function define(opcode: usize, gas: u32, takes: u32, gives: u32): void {
  const least = takes * <u32>WORD_BYTES;
  const most = <u32>layout.FRAME_STACK_BYTES - (gives > takes ? (gives - takes) * <u32>WORD_BYTES : 0);
  const change = (<i32>gives - <i32>takes) * <i32>WORD_BYTES;
  writeRule(opcode, gas, change, least, most - least);
}

function writeRule(opcode: usize, gas: u32, change: i32, leastHeight: u32, room: u32): void {
  const rule = layout.OPCODE_RULES + opcode * layout.RULE_BYTES;
  store<u32>(rule, gas, layout.RULE_GAS);
  store<i32>(rule, change, layout.RULE_CHANGE);
  store<u32>(rule, leastHeight, layout.RULE_LEAST_HEIGHT);
  store<u32>(rule, room, layout.RULE_ROOM);
}
