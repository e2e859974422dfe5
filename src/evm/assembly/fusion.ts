/**
 * Fused instructions: a frequent sequence of instructions runs as one. The code that runs is a copy, in
 * which the first byte of such a sequence is an opcode that no fork defines; all else stays where it is. So
 * places in the code mean the same in both, and whoever reads code gets the original.
 *
 * A sequence is found two instructions at a time: a fused opcode may be the first of a further pair. No
 * sequence goes past a JUMPDEST. After an instruction that may fail for a reason that its rule does not know
 * (memory that costs too much) comes none that fails for want of anything but gas, so the halt is the one that
 * the instructions had alone.
 */

import { JUMP_DESTINATION } from './gas';
import {
  CODE_FUSED,
  CODE_JUMP_MAP,
  CODE_LENGTH,
  FUSED_OPCODES,
  FUSIONS,
  OPCODE_LENGTHS,
  OPCODE_RULES,
  RULE_BYTES,
  RULE_CHANGE,
  RULE_GAS,
  RULE_LEAST_HEIGHT,
  RULE_ROOM,
} from './layout';
import { IS_TRACED } from './tracing';

/** From this number on: prefixes of longer sequences, which are not opcodes and never run. */
const FIRST_PREFIX: u32 = 0x100;
const PUSH1_JUMP: u32 = 0xb0;
const PUSH2_JUMP: u32 = 0xb1;
const ADD_PUSH1_JUMP: u32 = 0x22;
const ADD_PUSH2_JUMP: u32 = 0x23;
const PUSH2_PUSH2_JUMP: u32 = 0x24;
const INVALID: u8 = 0xfe;
const JUMP: u32 = 0x56;
const JUMPI: u32 = 0x57;
const PUSH1: u32 = 0x60;
const PUSH2: u32 = 0x61;
const PUSH32: u32 = 0x7f;

let sequenceEnd: usize = 0;

/** {number, first, second}. The row of a number comes before those that it is the first of. */
const PAIRS: usize = memory.data<u16>([
  // Prefixes of longer sequences
  0x100, 0x15, 0x61, // ISZERO PUSH2
  0x101, 0x80, 0x61, // DUP1 PUSH2
  0x102, 0x80, 0x60, // DUP1 PUSH1
  0x103, 0x10, 0x61, // LT PUSH2
  0x104, 0x11, 0x61, // GT PUSH2
  0x105, 0x14, 0x61, // EQ PUSH2
  0x106, 0x80, 0x63, // DUP1 PUSH4
  0x107, 0x106, 0x14, // DUP1 PUSH4 EQ
  0x108, 0x107, 0x61, // DUP1 PUSH4 EQ PUSH2
  0x109, 0x15, 0x60, // ISZERO PUSH1
  0x10a, 0x81, 0x60, // DUP2 PUSH1
  0x10b, 0x81, 0x61, // DUP2 PUSH2
  0x10c, 0x82, 0x60, // DUP3 PUSH1
  0x10d, 0x82, 0x61, // DUP3 PUSH2
  0x10e, 0x03, 0x60, // SUB PUSH1
  0x10f, 0x03, 0x61, // SUB PUSH2
  0x114, 0x12, 0x15, // SLT ISZERO
  0x115, 0x114, 0x61, // SLT ISZERO PUSH2
  0x11a, 0x50, 0x90, // POP SWAP1
  0x11d, 0x61, 0x61, // PUSH2 PUSH2
  0x11e, 0x80, 0x91, // DUP1 SWAP2
  0x11f, 0x11e, 0x03, // DUP1 SWAP2 SUB
  0x120, 0x90, 0x81, // SWAP1 DUP2
  // Jumps
  0xb0, 0x60, 0x56, // PUSH1 JUMP
  0xb1, 0x61, 0x56, // PUSH2 JUMP
  0xb2, 0x60, 0x57, // PUSH1 JUMPI
  0xb3, 0x61, 0x57, // PUSH2 JUMPI
  0xb4, 0x100, 0x57, // ISZERO PUSH2 JUMPI
  0xb5, 0x101, 0x57, // DUP1 PUSH2 JUMPI
  0xb6, 0x102, 0x57, // DUP1 PUSH1 JUMPI
  0xb7, 0x103, 0x57, // LT PUSH2 JUMPI
  0xb8, 0x104, 0x57, // GT PUSH2 JUMPI
  0xb9, 0x105, 0x57, // EQ PUSH2 JUMPI
  0xba, 0x108, 0x57, // DUP1 PUSH4 EQ PUSH2 JUMPI
  0xbb, 0x90, 0x56, // SWAP1 JUMP
  0xbc, 0x50, 0x56, // POP JUMP
  0xaf, 0x109, 0x57, // ISZERO PUSH1 JUMPI
  0xbd, 0x10a, 0x57, // DUP2 PUSH1 JUMPI
  0xbe, 0x10b, 0x57, // DUP2 PUSH2 JUMPI
  0xbf, 0x10c, 0x57, // DUP3 PUSH1 JUMPI
  0xee, 0x10d, 0x57, // DUP3 PUSH2 JUMPI
  0xef, 0x10e, 0x57, // SUB PUSH1 JUMPI
  0x0c, 0x10f, 0x57, // SUB PUSH2 JUMPI
  0xaa, 0x115, 0x57, // SLT ISZERO PUSH2 JUMPI
  0x21, 0x11a, 0x56, // POP SWAP1 JUMP
  0x24, 0x11d, 0x56, // PUSH2 PUSH2 JUMP
  // Constants
  0x25, 0x60, 0x90, // PUSH1 SWAP1
  0xc0, 0x60, 0x60, // PUSH1 PUSH1
  0xc1, 0x60, 0x01, // PUSH1 ADD
  0xc2, 0x25, 0x03, // PUSH1 SWAP1 SUB
  0xc3, 0x60, 0x1b, // PUSH1 SHL
  0xc4, 0x60, 0x1c, // PUSH1 SHR
  0xc5, 0x60, 0x51, // PUSH1 MLOAD
  0xc6, 0x61, 0x51, // PUSH2 MLOAD
  0xc7, 0x60, 0x52, // PUSH1 MSTORE
  0xc8, 0x61, 0x52, // PUSH2 MSTORE
  0xc9, 0x60, 0x81, // PUSH1 DUP2
  0xca, 0xc9, 0x52, // PUSH1 DUP2 MSTORE
  0xcb, 0xc1, 0x51, // PUSH1 ADD MLOAD
  0x116, 0xc0, 0x60, // PUSH1 PUSH1 PUSH1
  0x117, 0x116, 0x1b, // PUSH1 PUSH1 PUSH1 SHL
  0xa8, 0x117, 0x03, // PUSH1 PUSH1 PUSH1 SHL SUB
  0xa9, 0xa8, 0x16, // PUSH1 PUSH1 PUSH1 SHL SUB AND
  0x26, 0xc9, 0x90, // PUSH1 DUP2 SWAP1
  0x27, 0x26, 0x1c, // PUSH1 DUP2 SWAP1 SHR
  0x28, 0x26, 0x1b, // PUSH1 DUP2 SWAP1 SHL
  0x29, 0x60, 0x82, // PUSH1 DUP3
  0x2a, 0x5f, 0x60, // PUSH0 PUSH1
  0x2c, 0x60, 0x19, // PUSH1 NOT
  0x2f, 0x102, 0x01, // DUP1 PUSH1 ADD
  0x4c, 0x5f, 0x52, // PUSH0 MSTORE
  0x11b, 0xc1, 0x60, // PUSH1 ADD PUSH1
  0x11c, 0xc1, 0x61, // PUSH1 ADD PUSH2
  0x22, 0x11b, 0x56, // PUSH1 ADD PUSH1 JUMP
  0x23, 0x11c, 0x56, // PUSH1 ADD PUSH2 JUMP
  // Stack
  0xcc, 0x50, 0x50, // POP POP
  0xcd, 0x90, 0x50, // SWAP1 POP
  0xce, 0x91, 0x50, // SWAP2 POP
  0xcf, 0x92, 0x50, // SWAP3 POP
  0xd0, 0x93, 0x50, // SWAP4 POP
  0xd1, 0x94, 0x50, // SWAP5 POP
  0xd2, 0x80, 0x80, // DUP1 DUP1
  0xd3, 0x80, 0x81, // DUP1 DUP2
  0xd4, 0x80, 0x82, // DUP1 DUP3
  0xd5, 0x80, 0x83, // DUP1 DUP4
  0xd6, 0x81, 0x80, // DUP2 DUP1
  0xd7, 0x81, 0x81, // DUP2 DUP2
  0xd8, 0x81, 0x82, // DUP2 DUP3
  0xd9, 0x81, 0x83, // DUP2 DUP4
  0xda, 0x82, 0x81, // DUP3 DUP2
  0xdb, 0x82, 0x82, // DUP3 DUP3
  0xdc, 0x82, 0x83, // DUP3 DUP4
  0xa5, 0x90, 0x52, // SWAP1 MSTORE
  0xa6, 0x91, 0x90, // SWAP2 SWAP1
  0xa7, 0x90, 0x91, // SWAP1 SWAP2
  0x0d, 0xcd, 0x56, // SWAP1 POP JUMP
  0x118, 0xa6, 0x50, // SWAP2 SWAP1 POP
  0x0e, 0x118, 0x56, // SWAP2 SWAP1 POP JUMP
  0x0f, 0xcc, 0x56, // POP POP JUMP
  // Operands that stay
  0xdd, 0x80, 0x01, // DUP1 ADD
  0xde, 0x81, 0x01, // DUP2 ADD
  0xdf, 0x82, 0x01, // DUP3 ADD
  0xe0, 0x83, 0x01, // DUP4 ADD
  0xe1, 0x84, 0x01, // DUP5 ADD
  0xe2, 0x85, 0x01, // DUP6 ADD
  0xe3, 0x81, 0x10, // DUP2 LT
  0xe4, 0x81, 0x11, // DUP2 GT
  0xe5, 0x81, 0x14, // DUP2 EQ
  0xe6, 0x80, 0x51, // DUP1 MLOAD
  0xe7, 0x81, 0x51, // DUP2 MLOAD
  0xe8, 0x82, 0x51, // DUP3 MLOAD
  0xe9, 0x81, 0x52, // DUP2 MSTORE
  0xea, 0x90, 0x03, // SWAP1 SUB
  0x2b, 0x81, 0x16, // DUP2 AND
  0x2d, 0x11f, 0x90, // DUP1 SWAP2 SUB SWAP1
  0x2e, 0x120, 0x52, // SWAP1 DUP2 MSTORE
  0x121, 0xe9, 0x60, // DUP2 MSTORE PUSH1
  0x4b, 0x121, 0x01, // DUP2 MSTORE PUSH1 ADD
  // Comparisons
  0xeb, 0x15, 0x15, // ISZERO ISZERO
  0xec, 0x10, 0x15, // LT ISZERO
  0xed, 0x11, 0x15, // GT ISZERO
  0x110, 0xec, 0x60, // LT ISZERO PUSH1
  0x111, 0xec, 0x61, // LT ISZERO PUSH2
  0x112, 0xed, 0x60, // GT ISZERO PUSH1
  0x113, 0xed, 0x61, // GT ISZERO PUSH2
  0xab, 0x110, 0x57, // LT ISZERO PUSH1 JUMPI
  0xac, 0x111, 0x57, // LT ISZERO PUSH2 JUMPI
  0xad, 0x112, 0x57, // GT ISZERO PUSH1 JUMPI
  0xae, 0x113, 0x57, // GT ISZERO PUSH2 JUMPI
]);
const PAIRS_COUNT: usize = 129;
const PAIR_BYTES: usize = 6;

/** Writes the lengths of all instructions, and the rules of the fused ones. */
export function defineFusedOpcodes(): void {
  for (let opcode: u32 = 0; opcode < 256; opcode++) {
    const isPush = opcode >= PUSH1 && opcode <= PUSH32;
    store<u8>(OPCODE_LENGTHS + opcode, isPush ? opcode - PUSH1 + 2 : 1);
  }
  if (IS_TRACED) return;
  const end = PAIRS + PAIRS_COUNT * PAIR_BYTES;
  for (let row = PAIRS; row < end; row += PAIR_BYTES) {
    defineFused(load<u16>(row), load<u16>(row, 2), load<u16>(row, 4));
  }
  chargeDestination(PUSH1_JUMP);
  chargeDestination(PUSH2_JUMP);
  chargeDestination(ADD_PUSH1_JUMP);
  chargeDestination(ADD_PUSH2_JUMP);
  chargeDestination(PUSH2_PUSH2_JUMP);
}

function defineFused(fused: u32, first: u32, second: u32): void {
  store<u16>(fusionOf(first, second), fused);
  if (fused < FIRST_PREFIX) store<u8>(FUSED_OPCODES + fused, 1);
  store<u8>(OPCODE_LENGTHS + fused, load<u8>(OPCODE_LENGTHS + first) + load<u8>(OPCODE_LENGTHS + second));
  joinRules(ruleOf(fused), ruleOf(first), ruleOf(second));
}

/** Where the table has what two opcodes are fused to; the first may be a fused opcode or a prefix. */
@inline
function fusionOf(first: u32, second: u32): usize {
  return FUSIONS + (((<usize>first << 8) + <usize>second) << 1);
}

@inline
function ruleOf(opcode: u32): usize {
  return OPCODE_RULES + <usize>opcode * RULE_BYTES;
}

/** A jump that is always taken pays for its JUMPDEST by its own rule. */
function chargeDestination(fused: u32): void {
  const rule = ruleOf(fused);
  store<u32>(rule, load<u32>(rule, RULE_GAS) + JUMP_DESTINATION, RULE_GAS);
}

/** The rule of two instructions, one after the other. */
function joinRules(rule: usize, first: usize, second: usize): void {
  const change = load<i32>(first, RULE_CHANGE);
  const firstLeast = load<i32>(first, RULE_LEAST_HEIGHT);
  const secondLeast = load<i32>(second, RULE_LEAST_HEIGHT);
  const firstMost = firstLeast + load<i32>(first, RULE_ROOM);
  const secondMost = secondLeast + load<i32>(second, RULE_ROOM);
  const least = max<i32>(firstLeast, secondLeast - change);
  store<u32>(rule, load<u32>(first, RULE_GAS) + load<u32>(second, RULE_GAS), RULE_GAS);
  store<i32>(rule, change + load<i32>(second, RULE_CHANGE), RULE_CHANGE);
  store<i32>(rule, least, RULE_LEAST_HEIGHT);
  store<i32>(rule, min<i32>(firstMost, secondMost - change) - least, RULE_ROOM);
}

/** Whether an opcode is a fused one in the copy that runs, and undefined in the original. */
@inline
export function isFused(opcode: u32): bool {
  return load<u8>(FUSED_OPCODES + opcode) != 0;
}

/** Rewrites the copy of the code that runs. Jump destinations are marked already. */
export function fuseInstructions(block: usize): void {
  if (IS_TRACED) return;
  const start = <usize>load<u32>(block, CODE_FUSED);
  const end = start + <usize>load<u32>(block, CODE_LENGTH);
  for (let place = start; place < end; place = sequenceEnd) fuseAt(block, place, end);
}

/**
 * Rewrites the opcode at a place to that of the longest sequence which begins there, and leaves its end in
 * `sequenceEnd`. An undefined opcode that would be taken for a fused one becomes INVALID, which is the same.
 */
function fuseAt(block: usize, place: usize, end: usize): void {
  let fused = <u32>load<u8>(place);
  let last = place;
  let next = place + load<u8>(OPCODE_LENGTHS + fused);
  sequenceEnd = next;
  if (isFused(fused)) {
    store<u8>(place, INVALID);
    sequenceEnd = place + 1;
    return;
  }
  while (next < end) {
    const opcode = <u32>load<u8>(next);
    fused = <u32>load<u16>(fusionOf(fused, opcode));
    if (!fused || isWild(block, last, opcode)) return;
    last = next;
    next += load<u8>(OPCODE_LENGTHS + opcode);
    if (fused >= FIRST_PREFIX) continue;
    store<u8>(place, <u8>fused);
    sequenceEnd = next;
  }
}

/** Whether an instruction jumps where the PUSH1 or PUSH2 before it says, and no JUMPDEST is there. */
function isWild(block: usize, before: usize, opcode: u32): bool {
  if (opcode != JUMP && opcode != JUMPI) return false;
  const push = <u32>load<u8>(before);
  if (push == PUSH1) return !isDestination(block, load<u8>(before, 1));
  return push == PUSH2 && !isDestination(block, bswap<u16>(load<u16>(before, 1)));
}

function isDestination(block: usize, target: u32): bool {
  if (target >= load<u32>(block, CODE_LENGTH)) return false;
  const cell = load<u8>(<usize>load<u32>(block, CODE_JUMP_MAP) + (<usize>target >> 3));
  return ((<u32>cell >> (target & 7)) & 1) != 0;
}
