/**
 * Fused instructions (superinstructions): a frequent sequence of instructions runs as one. The code that runs is a copy
 * in which the first byte of such a sequence is a number that no opcode has. All other bytes are unchanged, so offsets
 * are the same in both; instructions that read code get the original.
 *
 * A sequence is found two instructions at a time: a fused opcode may be the first of a further pair. No sequence
 * continues past a JUMPDEST. An instruction that may fail for a reason outside of its rule (the gas of memory) is
 * followed only by instructions that can fail for lack of gas alone. So the halt is the same as without fusion.
 */

import * as opcodes from '../../../build/evm/opcodes';
import * as layout from './layout';
import { REPORTS_STEPS } from './tracing';

/** First number of the prefixes of longer sequences, which are not opcodes and never run. */
const FIRST_PREFIX: u32 = 0x100;

let sequenceEnd: usize = 0;

/** Writes the lengths of all instructions, and the rules of the fused ones. */
export function defineFusedOpcodes(): void {
  for (let opcode: u32 = 0; opcode < 256; opcode++) {
    const isPush = opcode >= opcodes.PUSH1 && opcode <= opcodes.PUSH32;
    store<u8>(layout.OPCODE_LENGTHS + opcode, isPush ? opcode - opcodes.PUSH0 + 1 : 1);
  }
  if (REPORTS_STEPS) return;
  for (let row = opcodes.FUSIONS; row < opcodes.FUSIONS_END; row += opcodes.FUSIONS_ROW_BYTES) {
    defineFused(load<u32>(row), load<u32>(row, 4), load<u32>(row, 8), load<u32>(row, 12));
  }
}

function defineFused(fused: u32, first: u32, second: u32, furtherGas: u32): void {
  store<u16>(fusionOf(first, second), fused);
  if (fused < FIRST_PREFIX) store<u8>(layout.FUSED_OPCODES + fused, 1);
  store<u8>(
    layout.OPCODE_LENGTHS + fused,
    load<u8>(layout.OPCODE_LENGTHS + first) + load<u8>(layout.OPCODE_LENGTHS + second),
  );
  joinRules(ruleOf(fused), ruleOf(first), ruleOf(second), furtherGas);
}

/** Returns the table entry of a pair; the first may be a fused opcode or a prefix. */
@inline
function fusionOf(first: u32, second: u32): usize {
  return layout.FUSED_PAIRS + (((<usize>first << 8) + <usize>second) << 1);
}

@inline
function ruleOf(opcode: u32): usize {
  return layout.OPCODE_RULES + <usize>opcode * layout.RULE_BYTES;
}

/** Writes the rule of two instructions, one after the other. */
function joinRules(rule: usize, first: usize, second: usize, furtherGas: u32): void {
  const change = load<i32>(first, layout.RULE_STACK_CHANGE);
  const firstMin = load<i32>(first, layout.RULE_MIN_HEIGHT);
  const secondMin = load<i32>(second, layout.RULE_MIN_HEIGHT);
  const firstMax = firstMin + load<i32>(first, layout.RULE_HEIGHT_RANGE);
  const secondMax = secondMin + load<i32>(second, layout.RULE_HEIGHT_RANGE);
  const minHeight = max<i32>(firstMin, secondMin - change);
  const gas = load<u32>(first, layout.RULE_GAS) + load<u32>(second, layout.RULE_GAS) + furtherGas;
  store<u32>(rule, gas, layout.RULE_GAS);
  store<i32>(rule, change + load<i32>(second, layout.RULE_STACK_CHANGE), layout.RULE_STACK_CHANGE);
  store<i32>(rule, minHeight, layout.RULE_MIN_HEIGHT);
  store<i32>(rule, min<i32>(firstMax, secondMax - change) - minHeight, layout.RULE_HEIGHT_RANGE);
}

/** True if an opcode is a fused one in the copy that runs, and undefined in the original. */
@inline
export function isFused(opcode: u32): bool {
  return load<u8>(layout.FUSED_OPCODES + opcode) != 0;
}

/** Rewrites the copy of the code that runs. Jump destinations are marked already. */
export function fuseInstructions(block: usize): void {
  if (REPORTS_STEPS) return;
  const start = <usize>load<u32>(block, layout.CODE_FUSED);
  const end = start + <usize>load<u32>(block, layout.CODE_LENGTH);
  for (let address = start; address < end; address = sequenceEnd) fuseAt(block, address, end);
}

/**
 * Replaces the opcode at an address by that of the longest sequence which begins there, and sets `sequenceEnd`. An
 * undefined opcode with the number of a fused one becomes INVALID, which has the same effect.
 */
function fuseAt(block: usize, address: usize, end: usize): void {
  let fused = <u32>load<u8>(address);
  let last = address;
  let next = address + load<u8>(layout.OPCODE_LENGTHS + fused);
  sequenceEnd = next;
  if (isFused(fused)) {
    store<u8>(address, <u8>opcodes.INVALID);
    sequenceEnd = address + 1;
    return;
  }
  while (next < end) {
    const opcode = <u32>load<u8>(next);
    fused = <u32>load<u16>(fusionOf(fused, opcode));
    if (!fused || jumpsNowhere(block, last, opcode)) return;
    last = next;
    next += load<u8>(layout.OPCODE_LENGTHS + opcode);
    if (fused >= FIRST_PREFIX) continue;
    store<u8>(address, <u8>fused);
    sequenceEnd = next;
  }
}

/** True if an instruction jumps to the number of the PUSH1 or PUSH2 before it, which is no jump destination. */
function jumpsNowhere(block: usize, before: usize, opcode: u32): bool {
  if (opcode != opcodes.JUMP && opcode != opcodes.JUMPI) return false;
  const push = <u32>load<u8>(before);
  if (push == opcodes.PUSH1) return !isDestination(block, load<u8>(before, 1));
  return push == opcodes.PUSH2 && !isDestination(block, bswap<u16>(load<u16>(before, 1)));
}

function isDestination(block: usize, target: u32): bool {
  if (target >= load<u32>(block, layout.CODE_LENGTH)) return false;
  const cell = load<u8>(<usize>load<u32>(block, layout.CODE_JUMP_MAP) + (<usize>target >> 3));
  return ((<u32>cell >> (target & 7)) & 1) != 0;
}
