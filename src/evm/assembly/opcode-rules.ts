/**
 * One rule for each of the 256 opcodes: its fixed gas, the least height of the stack (the items it takes),
 * and how much higher the stack may be (so that what it gives still fits). With both heights in bytes, one
 * comparison without a sign finds underflow and overflow. What a fork does not define has a least height that
 * no stack has.
 */

import { defineFusedOpcodes, isFused } from './fusion';
import {
  BASE,
  BLOCK_HASH,
  CREATE,
  HIGH,
  JUMP_DESTINATION,
  KECCAK,
  LOG,
  LOW,
  MIDDLE,
  outOfGas,
  SELF_DESTRUCT,
  TRANSIENT,
  VERY_LOW,
  ZERO,
} from './gas';
import { frame } from './frames';
import { INVALID_OPCODE, STACK_OVERFLOW, STACK_UNDERFLOW } from './halt';
import { CANCUN, OSAKA, SHANGHAI } from './hardfork';
import {
  CODE_FUSED,
  CODE_START,
  FRAME_CODE,
  FRAME_STACK_BYTES,
  OPCODE_LENGTHS,
  OPCODE_RULES,
  RULE_BYTES,
  RULE_CHANGE,
  RULE_GAS,
  RULE_LEAST_HEIGHT,
  RULE_ROOM,
} from './layout';
import { WORD_BYTES } from './word';

/** Least height of an undefined opcode: greater than any stack. */
const UNDEFINED_HEIGHT: i32 = 0xffff;

const JUMP: usize = 0x56;

/** Writes the rules of a fork. */
export function writeOpcodeRules(fork: i32): void {
  for (let opcode: usize = 0; opcode < 256; opcode++) writeRule(opcode, ZERO, 0, UNDEFINED_HEIGHT, 0);
  defineArithmetic();
  defineComparisonAndBits();
  defineEnvironment();
  defineBlock();
  defineStackMemoryStorageFlow();
  definePushDuplicateExchange();
  defineLogging();
  defineSystem();
  if (fork >= SHANGHAI) define(0x5f, BASE, 0, 1); // PUSH0, EIP-3855
  if (fork >= CANCUN) defineCancun();
  if (fork >= OSAKA) define(0x1e, LOW, 1, 1); // CLZ, EIP-7939
  defineFusedOpcodes();
}

/**
 * The negated code of the halt at a place of the code that runs, where the rule does not allow this height of
 * the stack or this gas: of the first of the fused instructions that fails.
 */
export function ruleFailure(place: usize, height: i32, gas: i64): i64 {
  const code = <usize>load<u32>(frame, FRAME_CODE);
  let original = place - <usize>load<u32>(code, CODE_FUSED) + <usize>load<u32>(code, CODE_START);
  let left = gas;
  while (true) {
    const opcode = <usize>load<u8>(original);
    const rule = OPCODE_RULES + opcode * RULE_BYTES;
    const least = load<i32>(rule, RULE_LEAST_HEIGHT);
    if (least == UNDEFINED_HEIGHT || isFused(<u32>opcode)) return -(<i64>INVALID_OPCODE);
    if (height < least) return -(<i64>STACK_UNDERFLOW);
    if (height > least + load<i32>(rule, RULE_ROOM)) return -(<i64>STACK_OVERFLOW);
    left -= <i64>load<u32>(rule, RULE_GAS);
    if (left < 0 || opcode == JUMP) return outOfGas();
    height += load<i32>(rule, RULE_CHANGE);
    original += <usize>load<u8>(OPCODE_LENGTHS + opcode);
  }
}

function define(opcode: usize, gas: u32, takes: u32, gives: u32): void {
  const least = takes * <u32>WORD_BYTES;
  const most = <u32>FRAME_STACK_BYTES - (gives > takes ? (gives - takes) * <u32>WORD_BYTES : 0);
  const change = (<i32>gives - <i32>takes) * <i32>WORD_BYTES;
  writeRule(opcode, gas, change, least, most - least);
}

function writeRule(opcode: usize, gas: u32, change: i32, leastHeight: u32, room: u32): void {
  const rule = OPCODE_RULES + opcode * RULE_BYTES;
  store<u32>(rule, gas, RULE_GAS);
  store<i32>(rule, change, RULE_CHANGE);
  store<u32>(rule, leastHeight, RULE_LEAST_HEIGHT);
  store<u32>(rule, room, RULE_ROOM);
}

function defineArithmetic(): void {
  define(0x00, ZERO, 0, 0); // STOP
  define(0x01, VERY_LOW, 2, 1); // ADD
  define(0x02, LOW, 2, 1); // MUL
  define(0x03, VERY_LOW, 2, 1); // SUB
  define(0x04, LOW, 2, 1); // DIV
  define(0x05, LOW, 2, 1); // SDIV
  define(0x06, LOW, 2, 1); // MOD
  define(0x07, LOW, 2, 1); // SMOD
  define(0x08, MIDDLE, 3, 1); // ADDMOD
  define(0x09, MIDDLE, 3, 1); // MULMOD
  define(0x0a, HIGH, 2, 1); // EXP
  define(0x0b, LOW, 2, 1); // SIGNEXTEND
}

function defineComparisonAndBits(): void {
  for (let opcode: usize = 0x10; opcode <= 0x14; opcode++) define(opcode, VERY_LOW, 2, 1); // LT to EQ
  define(0x15, VERY_LOW, 1, 1); // ISZERO
  for (let opcode: usize = 0x16; opcode <= 0x18; opcode++) define(opcode, VERY_LOW, 2, 1); // AND, OR, XOR
  define(0x19, VERY_LOW, 1, 1); // NOT
  for (let opcode: usize = 0x1a; opcode <= 0x1d; opcode++) define(opcode, VERY_LOW, 2, 1); // BYTE, shifts
  define(0x20, KECCAK, 2, 1); // KECCAK256
}

function defineEnvironment(): void {
  define(0x30, BASE, 0, 1); // ADDRESS
  define(0x31, ZERO, 1, 1); // BALANCE
  define(0x32, BASE, 0, 1); // ORIGIN
  define(0x33, BASE, 0, 1); // CALLER
  define(0x34, BASE, 0, 1); // CALLVALUE
  define(0x35, VERY_LOW, 1, 1); // CALLDATALOAD
  define(0x36, BASE, 0, 1); // CALLDATASIZE
  define(0x37, VERY_LOW, 3, 0); // CALLDATACOPY
  define(0x38, BASE, 0, 1); // CODESIZE
  define(0x39, VERY_LOW, 3, 0); // CODECOPY
  define(0x3a, BASE, 0, 1); // GASPRICE
  define(0x3b, ZERO, 1, 1); // EXTCODESIZE
  define(0x3c, ZERO, 4, 0); // EXTCODECOPY
  define(0x3d, BASE, 0, 1); // RETURNDATASIZE
  define(0x3e, VERY_LOW, 3, 0); // RETURNDATACOPY
  define(0x3f, ZERO, 1, 1); // EXTCODEHASH
}

function defineBlock(): void {
  define(0x40, BLOCK_HASH, 1, 1); // BLOCKHASH
  for (let opcode: usize = 0x41; opcode <= 0x46; opcode++) define(opcode, BASE, 0, 1); // COINBASE to CHAINID
  define(0x47, LOW, 0, 1); // SELFBALANCE
  define(0x48, BASE, 0, 1); // BASEFEE
}

function defineStackMemoryStorageFlow(): void {
  define(0x50, BASE, 1, 0); // POP
  define(0x51, VERY_LOW, 1, 1); // MLOAD
  define(0x52, VERY_LOW, 2, 0); // MSTORE
  define(0x53, VERY_LOW, 2, 0); // MSTORE8
  define(0x54, ZERO, 1, 1); // SLOAD
  define(0x55, ZERO, 2, 0); // SSTORE
  define(0x56, MIDDLE, 1, 0); // JUMP
  define(0x57, HIGH, 2, 0); // JUMPI
  define(0x58, BASE, 0, 1); // PC
  define(0x59, BASE, 0, 1); // MSIZE
  define(0x5a, BASE, 0, 1); // GAS
  define(0x5b, JUMP_DESTINATION, 0, 0); // JUMPDEST
}

function definePushDuplicateExchange(): void {
  for (let opcode: usize = 0x60; opcode <= 0x7f; opcode++) define(opcode, VERY_LOW, 0, 1);
  for (let items: u32 = 1; items <= 16; items++) {
    define(0x7f + items, VERY_LOW, items, items + 1); // DUP
    define(0x8f + items, VERY_LOW, items + 1, items + 1); // SWAP
  }
}

function defineLogging(): void {
  for (let topics: u32 = 0; topics <= 4; topics++) define(0xa0 + topics, LOG * (topics + 1), topics + 2, 0);
}

function defineSystem(): void {
  define(0xf0, CREATE, 3, 1); // CREATE
  define(0xf1, ZERO, 7, 1); // CALL
  define(0xf2, ZERO, 7, 1); // CALLCODE
  define(0xf3, ZERO, 2, 0); // RETURN
  define(0xf4, ZERO, 6, 1); // DELEGATECALL
  define(0xf5, CREATE, 4, 1); // CREATE2
  define(0xfa, ZERO, 6, 1); // STATICCALL
  define(0xfd, ZERO, 2, 0); // REVERT
  define(0xff, SELF_DESTRUCT, 1, 0); // SELFDESTRUCT
}

function defineCancun(): void {
  define(0x49, VERY_LOW, 1, 1); // BLOBHASH, EIP-4844
  define(0x4a, BASE, 0, 1); // BLOBBASEFEE, EIP-7516
  define(0x5c, TRANSIENT, 1, 1); // TLOAD, EIP-1153
  define(0x5d, TRANSIENT, 2, 0); // TSTORE, EIP-1153
  define(0x5e, VERY_LOW, 3, 0); // MCOPY, EIP-5656
}
