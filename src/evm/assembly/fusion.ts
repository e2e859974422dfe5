/**
 * Fused instructions (superinstructions): a frequent sequence of instructions runs as one. The code that runs is a
 * copy, in which the first byte of such a sequence is a number that no opcode has; all else stays where it is. So
 * places in the code mean the same in both, and whoever reads code gets the original.
 *
 * A sequence is found two instructions at a time: a fused opcode may be the first of a further pair. No
 * sequence goes past a JUMPDEST. After an instruction that may fail for a reason that its rule does not know
 * (memory that costs too much) comes none that fails for want of anything but gas, so the halt is the one that
 * the instructions had alone.
 */

import * as opcodes from '../../../build/evm/opcodes';
import * as layout from './layout';
import { IS_TRACED } from './tracing';

/** From this number on: beginnings of longer sequences, which are not opcodes and never run. */
const FIRST_PREFIX: u32 = 0x100;

let sequenceEnd: usize = 0;

/** Writes the lengths of all instructions, and the rules of the fused ones. */
export function defineFusedOpcodes(): void {
  for (let opcode: u32 = 0; opcode < 256; opcode++) {
    const isPush = opcode >= opcodes.PUSH1 && opcode <= opcodes.PUSH32;
    store<u8>(layout.OPCODE_LENGTHS + opcode, isPush ? opcode - opcodes.PUSH0 + 1 : 1);
  }
  if (IS_TRACED) return;
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

/** Where the table has what two opcodes are fused to; the first may be a fused opcode or a prefix. */
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
  const change = load<i32>(first, layout.RULE_CHANGE);
  const firstLeast = load<i32>(first, layout.RULE_LEAST_HEIGHT);
  const secondLeast = load<i32>(second, layout.RULE_LEAST_HEIGHT);
  const firstMost = firstLeast + load<i32>(first, layout.RULE_ROOM);
  const secondMost = secondLeast + load<i32>(second, layout.RULE_ROOM);
  const least = max<i32>(firstLeast, secondLeast - change);
  const gas = load<u32>(first, layout.RULE_GAS) + load<u32>(second, layout.RULE_GAS) + furtherGas;
  store<u32>(rule, gas, layout.RULE_GAS);
  store<i32>(rule, change + load<i32>(second, layout.RULE_CHANGE), layout.RULE_CHANGE);
  store<i32>(rule, least, layout.RULE_LEAST_HEIGHT);
  store<i32>(rule, min<i32>(firstMost, secondMost - change) - least, layout.RULE_ROOM);
}

/** Tests whether an opcode is a fused one in the copy that runs, and undefined in the original. */
@inline
export function isFused(opcode: u32): bool {
  return load<u8>(layout.FUSED_OPCODES + opcode) != 0;
}

/** Rewrites the copy of the code that runs. Jump destinations are marked already. */
export function fuseInstructions(block: usize): void {
  if (IS_TRACED) return;
  const start = <usize>load<u32>(block, layout.CODE_FUSED);
  const end = start + <usize>load<u32>(block, layout.CODE_LENGTH);
  for (let place = start; place < end; place = sequenceEnd) fuseAt(block, place, end);
}

/**
 * Rewrites the opcode at a place to that of the longest sequence which begins there, and leaves its end in
 * `sequenceEnd`. An undefined opcode that would be taken for a fused one becomes INVALID, which is the same.
 */
function fuseAt(block: usize, place: usize, end: usize): void {
  let fused = <u32>load<u8>(place);
  let last = place;
  let next = place + load<u8>(layout.OPCODE_LENGTHS + fused);
  sequenceEnd = next;
  if (isFused(fused)) {
    store<u8>(place, <u8>opcodes.INVALID);
    sequenceEnd = place + 1;
    return;
  }
  while (next < end) {
    const opcode = <u32>load<u8>(next);
    fused = <u32>load<u16>(fusionOf(fused, opcode));
    if (!fused || isWild(block, last, opcode)) return;
    last = next;
    next += load<u8>(layout.OPCODE_LENGTHS + opcode);
    if (fused >= FIRST_PREFIX) continue;
    store<u8>(place, <u8>fused);
    sequenceEnd = next;
  }
}

/** Tests whether an instruction jumps where the PUSH1 or PUSH2 before it says, and no JUMPDEST is there. */
function isWild(block: usize, before: usize, opcode: u32): bool {
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
