/**
 * The run loop: one dispatch in the order of the opcodes. Program counter, stack top and gas live in its
 * locals; a frame's own are loaded when it begins or goes on. The rule of an opcode (`opcode-rules.ts`) is
 * checked before its body, so bodies find their operands, room for their result, and their fixed gas already
 * taken.
 */

import { call, CALL, CALL_CODE, DELEGATE_CALL, STATIC_CALL } from './calls';
import { create } from './creates';
import { endFrame } from './ends';
import { codeLength, codeStart, frame, returnDataLength, saveRegisters } from './frames';
import { charge, JUMP_DESTINATION, outOfGas } from './gas';
import { CONTINUE, INVALID_JUMP, REVERT, SUCCESS } from './halt';
import {
  BLOCK_BASE_FEE,
  BLOCK_COINBASE,
  BLOCK_GAS_LIMIT,
  BLOCK_NUMBER,
  BLOCK_RANDOMNESS,
  BLOCK_TIMESTAMP,
  CHAIN_ID,
  FRAME_ADDRESS,
  FRAME_CALLER,
  FRAME_GAS,
  FRAME_INPUT_LENGTH,
  FRAME_PROGRAM_COUNTER,
  FRAME_STACK_BASE,
  FRAME_STACK_TOP,
  FRAME_VALUE,
  OPCODE_RULES,
  RULE_BYTES,
  RULE_GAS,
  RULE_LEAST_HEIGHT,
  RULE_ROOM,
  TRANSACTION_GAS_PRICE,
  TRANSACTION_ORIGIN,
} from './layout';
import { memorySize } from './memory';
import { ruleFailure } from './opcode-rules';
import * as arithmetic from './opcodes/arithmetic';
import * as block from './opcodes/block';
import * as bits from './opcodes/comparison-bitwise';
import * as environment from './opcodes/environment';
import * as fused from './opcodes/fused';
import * as hashing from './opcodes/keccak';
import * as logging from './opcodes/logging';
import * as stack from './opcodes/push-duplicate-exchange';
import * as flow from './opcodes/stack-memory-storage-flow';
import * as system from './opcodes/system';
import { IS_TRACED, traceStep } from './tracing';
import { copyWord, equals, isZero, signedLessThan, WORD_BYTES } from './word';

/** No end: the frame goes on with its next instruction. */
const NEXT_INSTRUCTION: i32 = -1;

/** Runs the frames until none is left. */
export function run(): void {
  while (runFrame()) {}
}

/** Charges the JUMPDEST at the end of a jump, for the jump goes past it; not in the traced build. */
@inline
function chargeJump(target: usize, gas: i64): i64 {
  if (!target) return -(<i64>INVALID_JUMP);
  const left = IS_TRACED ? gas : gas - JUMP_DESTINATION;
  return left < 0 ? outOfGas() : left;
}

/**
 * Runs the current frame until it ends, or another one begins or goes on: then, with the registers of that
 * one in memory, it returns true. Cases that cannot fail `continue`; the others `break` to the check of gas
 * and status. A negative gas is a negated code of a halt; a status of CONTINUE says that registers are to be
 * loaded.
 */
function runFrame(): bool {
  const base = <usize>load<u32>(frame, FRAME_STACK_BASE);
  let pc = <usize>load<u32>(frame, FRAME_PROGRAM_COUNTER);
  let top = <usize>load<u32>(frame, FRAME_STACK_TOP);
  let gas = load<i64>(frame, FRAME_GAS);
  let status: i32 = NEXT_INSTRUCTION;

  while (true) {
    const opcode = <u32>load<u8>(pc);
    traceStep(pc, opcode, gas, base, top);
    pc++;
    const rule = OPCODE_RULES + <usize>opcode * RULE_BYTES;
    const height = <u32>(top - base);
    if (height - load<u32>(rule, RULE_LEAST_HEIGHT) > load<u32>(rule, RULE_ROOM)) {
      gas = ruleFailure(pc - 1, height, gas);
      break;
    }
    gas -= <i64>load<u32>(rule, RULE_GAS);
    if (gas < 0) {
      gas = ruleFailure(pc - 1, height, gas + <i64>load<u32>(rule, RULE_GAS));
      break;
    }
    switch (opcode) {
      // Stop and arithmetic
      case 0x00: status = SUCCESS; break; // STOP
      case 0x01: top = arithmetic.add(top); continue; // ADD
      case 0x02: top = arithmetic.mul(top); continue; // MUL
      case 0x03: top = arithmetic.sub(top); continue; // SUB
      case 0x04: top = arithmetic.div(top); continue; // DIV
      case 0x05: top = arithmetic.sdiv(top); continue; // SDIV
      case 0x06: top = arithmetic.mod(top); continue; // MOD
      case 0x07: top = arithmetic.smod(top); continue; // SMOD
      case 0x08: top = arithmetic.addmod(top); continue; // ADDMOD
      case 0x09: top = arithmetic.mulmod(top); continue; // MULMOD
      case 0x0a: gas = arithmetic.exp(top, gas); top -= WORD_BYTES; break; // EXP
      case 0x0b: top = arithmetic.signextend(top); continue; // SIGNEXTEND

      // Comparison and bits
      case 0x10: top = bits.lt(top); continue; // LT
      case 0x11: top = bits.gt(top); continue; // GT
      case 0x12: top = bits.slt(top); continue; // SLT
      case 0x13: top = bits.sgt(top); continue; // SGT
      case 0x14: top = bits.eq(top); continue; // EQ
      case 0x15: top = bits.iszero(top); continue; // ISZERO
      case 0x16: top = bits.and(top); continue; // AND
      case 0x17: top = bits.or(top); continue; // OR
      case 0x18: top = bits.xor(top); continue; // XOR
      case 0x19: top = bits.not(top); continue; // NOT
      case 0x1a: top = bits.byte(top); continue; // BYTE
      case 0x1b: top = bits.shl(top); continue; // SHL
      case 0x1c: top = bits.shr(top); continue; // SHR
      case 0x1d: top = bits.sar(top); continue; // SAR
      case 0x1e: top = bits.clz(top); continue; // CLZ

      // Hashing
      case 0x20: gas = hashing.keccak(top, gas); top -= WORD_BYTES; break; // KECCAK256

      // Environment
      case 0x30: top = environment.pushWord(top, frame + FRAME_ADDRESS); continue; // ADDRESS
      case 0x31: gas = environment.balance(top, gas); break; // BALANCE
      case 0x32: top = environment.pushWord(top, TRANSACTION_ORIGIN); continue; // ORIGIN
      case 0x33: top = environment.pushWord(top, frame + FRAME_CALLER); continue; // CALLER
      case 0x34: top = environment.pushWord(top, frame + FRAME_VALUE); continue; // CALLVALUE
      case 0x35: top = environment.calldataload(top); continue; // CALLDATALOAD
      case 0x36: // CALLDATASIZE
        top = environment.pushNumber(top, load<u32>(frame, FRAME_INPUT_LENGTH));
        continue;
      case 0x37: gas = environment.calldatacopy(top, gas); top -= 3 * WORD_BYTES; break; // CALLDATACOPY
      case 0x38: top = environment.pushNumber(top, codeLength); continue; // CODESIZE
      case 0x39: gas = environment.codecopy(top, gas); top -= 3 * WORD_BYTES; break; // CODECOPY
      case 0x3a: top = environment.pushWord(top, TRANSACTION_GAS_PRICE); continue; // GASPRICE
      case 0x3b: gas = environment.extcodesize(top, gas); break; // EXTCODESIZE
      case 0x3c: gas = environment.extcodecopy(top, gas); top -= 4 * WORD_BYTES; break; // EXTCODECOPY
      case 0x3d: top = environment.pushNumber(top, returnDataLength); continue; // RETURNDATASIZE
      case 0x3e: // RETURNDATACOPY
        gas = environment.returndatacopy(top, gas);
        top -= 3 * WORD_BYTES;
        break;
      case 0x3f: gas = environment.extcodehash(top, gas); break; // EXTCODEHASH

      // Block
      case 0x40: top = block.blockhash(top); continue; // BLOCKHASH
      case 0x41: top = environment.pushWord(top, BLOCK_COINBASE); continue; // COINBASE
      case 0x42: top = environment.pushWord(top, BLOCK_TIMESTAMP); continue; // TIMESTAMP
      case 0x43: top = environment.pushWord(top, BLOCK_NUMBER); continue; // NUMBER
      case 0x44: top = environment.pushWord(top, BLOCK_RANDOMNESS); continue; // PREVRANDAO
      case 0x45: top = environment.pushWord(top, BLOCK_GAS_LIMIT); continue; // GASLIMIT
      case 0x46: top = environment.pushWord(top, CHAIN_ID); continue; // CHAINID
      case 0x47: top = environment.selfbalance(top); continue; // SELFBALANCE
      case 0x48: top = environment.pushWord(top, BLOCK_BASE_FEE); continue; // BASEFEE
      case 0x49: top = block.blobhash(top); continue; // BLOBHASH
      case 0x4a: top = environment.pushNumber(top, 1); continue; // BLOBBASEFEE: 1 where nobody uses blobs

      // Stack, memory, storage and flow
      case 0x50: top -= WORD_BYTES; continue; // POP
      case 0x51: gas = flow.mload(top, gas); break; // MLOAD
      case 0x52: gas = flow.mstore(top, gas); top -= 2 * WORD_BYTES; break; // MSTORE
      case 0x53: gas = flow.mstore8(top, gas); top -= 2 * WORD_BYTES; break; // MSTORE8
      case 0x54: gas = flow.sload(top, gas); break; // SLOAD
      case 0x55: gas = flow.sstore(top, gas); top -= 2 * WORD_BYTES; break; // SSTORE
      case 0x56: // JUMP
        top -= WORD_BYTES;
        pc = flow.jumpTarget(top);
        gas = chargeJump(pc, gas);
        break;
      case 0x57: // JUMPI
        top -= 2 * WORD_BYTES;
        if (isZero(top)) continue;
        pc = flow.jumpTarget(top + WORD_BYTES);
        gas = chargeJump(pc, gas);
        break;
      case 0x58: top = environment.pushNumber(top, pc - codeStart - 1); continue; // PC
      case 0x59: top = environment.pushNumber(top, memorySize); continue; // MSIZE
      case 0x5a: top = environment.pushNumber(top, gas); continue; // GAS
      case 0x5b: continue; // JUMPDEST
      case 0x5c: top = flow.tload(top); continue; // TLOAD
      case 0x5d: gas = flow.tstore(top, gas); top -= 2 * WORD_BYTES; break; // TSTORE
      case 0x5e: gas = flow.mcopy(top, gas); top -= 3 * WORD_BYTES; break; // MCOPY

      // Push
      case 0x5f: top = stack.push0(top); continue; // PUSH0
      case 0x60: // PUSH1
        top = stack.push1(top, pc);
        pc += 1;
        continue;
      case 0x61: // PUSH2
        top = stack.push2(top, pc);
        pc += 2;
        continue;
      case 0x62: case 0x63: case 0x64: case 0x65: case 0x66: case 0x67: // PUSH3 to PUSH8
        top = stack.pushLimb(top, pc, opcode - 0x5f);
        pc += opcode - 0x5f;
        continue;
      case 0x68: case 0x69: case 0x6a: case 0x6b: case 0x6c: case 0x6d: case 0x6e: case 0x6f:
      case 0x70: case 0x71: case 0x72: case 0x73: case 0x74: case 0x75: case 0x76: case 0x77:
      case 0x78: case 0x79: case 0x7a: case 0x7b: case 0x7c: case 0x7d: case 0x7e: case 0x7f: // PUSH9 to 32
        top = stack.pushBytes(top, pc, opcode - 0x5f);
        pc += opcode - 0x5f;
        continue;

      // Duplicate and exchange
      case 0x80: case 0x81: case 0x82: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87:
      case 0x88: case 0x89: case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x8e: case 0x8f: // DUP1 to DUP16
        top = stack.duplicate(top, opcode - 0x7f);
        continue;
      case 0x90: case 0x91: case 0x92: case 0x93: case 0x94: case 0x95: case 0x96: case 0x97:
      case 0x98: case 0x99: case 0x9a: case 0x9b: case 0x9c: case 0x9d: case 0x9e: case 0x9f: // SWAP1 to 16
        stack.exchange(top, opcode - 0x8f);
        continue;

      // Logging
      case 0xa0: case 0xa1: case 0xa2: case 0xa3: case 0xa4: // LOG0 to LOG4
        gas = logging.log(top, opcode - 0xa0, gas);
        top -= (opcode - 0xa0 + 2) * WORD_BYTES;
        break;

      // Fused instructions: jumps that are always taken
      case 0xb0: pc = fused.after(load<u8>(pc)); continue; // PUSH1 JUMP
      case 0xb1: pc = fused.after(fused.shortAt(pc)); continue; // PUSH2 JUMP
      case 0x24: top = stack.push2(top, pc); pc = fused.after(fused.shortAt(pc + 3)); continue; // PUSH2 PUSH2 JUMP
      case 0x22: fused.addByte(top, pc); pc = fused.after(load<u8>(pc, 3)); continue; // PUSH1 ADD PUSH1 JUMP
      case 0x23: fused.addByte(top, pc); pc = fused.after(fused.shortAt(pc + 3)); continue; // PUSH1 ADD PUSH2 JUMP
      case 0xbb: // SWAP1 JUMP
        pc = flow.jumpTarget(top - 2 * WORD_BYTES);
        top = fused.dropBelow(top, 1);
        gas = chargeJump(pc, gas);
        break;
      case 0xbc: top -= 2 * WORD_BYTES; pc = flow.jumpTarget(top); gas = chargeJump(pc, gas); break; // POP JUMP
      case 0x0f: top -= 3 * WORD_BYTES; pc = flow.jumpTarget(top); gas = chargeJump(pc, gas); break; // POP POP JUMP
      case 0x0d: // SWAP1 POP JUMP
        top -= 2 * WORD_BYTES; pc = flow.jumpTarget(top + WORD_BYTES); gas = chargeJump(pc, gas); break;
      case 0x0e: case 0x21: // SWAP2 SWAP1 POP JUMP; POP SWAP1 JUMP
        top -= 2 * WORD_BYTES;
        pc = flow.jumpTarget(top - WORD_BYTES);
        copyWord(top - WORD_BYTES, opcode == 0x0e ? top + WORD_BYTES : top);
        gas = chargeJump(pc, gas);
        break;

      // Fused instructions: jumps on a condition
      case 0xb2: // PUSH1 JUMPI
        top -= WORD_BYTES;
        if (isZero(top)) { pc += 2; continue; }
        pc = fused.after(load<u8>(pc)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xb3: // PUSH2 JUMPI
        top -= WORD_BYTES;
        if (isZero(top)) { pc += 3; continue; }
        pc = fused.after(fused.shortAt(pc)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xaf: // ISZERO PUSH1 JUMPI
        top -= WORD_BYTES;
        if (!isZero(top)) { pc += 3; continue; }
        pc = fused.after(load<u8>(pc, 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xb4: // ISZERO PUSH2 JUMPI
        top -= WORD_BYTES;
        if (!isZero(top)) { pc += 4; continue; }
        pc = fused.after(fused.shortAt(pc + 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xb6: // DUP1 PUSH1 JUMPI
        if (isZero(top - WORD_BYTES)) { pc += 3; continue; }
        pc = fused.after(load<u8>(pc, 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xb5: // DUP1 PUSH2 JUMPI
        if (isZero(top - WORD_BYTES)) { pc += 4; continue; }
        pc = fused.after(fused.shortAt(pc + 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xbd: case 0xbf: // DUP2 or DUP3, then PUSH1 JUMPI
        if (isZero(top - (opcode == 0xbd ? 2 : 3) * WORD_BYTES)) { pc += 3; continue; }
        pc = fused.after(load<u8>(pc, 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xbe: case 0xee: // DUP2 or DUP3, then PUSH2 JUMPI
        if (isZero(top - (opcode == 0xbe ? 2 : 3) * WORD_BYTES)) { pc += 4; continue; }
        pc = fused.after(fused.shortAt(pc + 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xb7: case 0xb8: case 0xb9: // LT, GT or EQ, then PUSH2 JUMPI
        top -= 2 * WORD_BYTES;
        if (!fused.compares(opcode, top)) { pc += 4; continue; }
        pc = fused.after(fused.shortAt(pc + 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xef: // SUB PUSH1 JUMPI
        top -= 2 * WORD_BYTES;
        if (equals(top, top + WORD_BYTES)) { pc += 3; continue; }
        pc = fused.after(load<u8>(pc, 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0x0c: // SUB PUSH2 JUMPI
        top -= 2 * WORD_BYTES;
        if (equals(top, top + WORD_BYTES)) { pc += 4; continue; }
        pc = fused.after(fused.shortAt(pc + 1)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xab: case 0xad: // LT or GT, then ISZERO PUSH1 JUMPI
        top -= 2 * WORD_BYTES;
        if (!fused.denies(opcode, top)) { pc += 4; continue; }
        pc = fused.after(load<u8>(pc, 2)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xac: case 0xae: // LT or GT, then ISZERO PUSH2 JUMPI
        top -= 2 * WORD_BYTES;
        if (!fused.denies(opcode, top)) { pc += 5; continue; }
        pc = fused.after(fused.shortAt(pc + 2)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xaa: // SLT ISZERO PUSH2 JUMPI
        top -= 2 * WORD_BYTES;
        if (signedLessThan(top + WORD_BYTES, top)) { pc += 5; continue; }
        pc = fused.after(fused.shortAt(pc + 2)); gas = charge(gas, JUMP_DESTINATION); break;
      case 0xba: // DUP1 PUSH4 EQ PUSH2 JUMPI
        if (!fused.isSelector(top, pc + 1)) { pc += 10; continue; }
        pc = fused.after(fused.shortAt(pc + 7)); gas = charge(gas, JUMP_DESTINATION); break;

      // Fused instructions: constants
      case 0xc0: top = fused.pushTwo(top, pc); pc += 3; continue; // PUSH1 PUSH1
      case 0xc1: fused.addByte(top, pc); pc += 2; continue; // PUSH1 ADD
      case 0xc2: fused.subtractByte(top, pc); pc += 3; continue; // PUSH1 SWAP1 SUB
      case 0xc3: fused.shiftLeftByte(top, pc); pc += 2; continue; // PUSH1 SHL
      case 0xc4: fused.shiftRightByte(top, pc); pc += 2; continue; // PUSH1 SHR
      case 0xc5: gas = fused.loadAt(top, load<u8>(pc), gas); top += WORD_BYTES; pc += 2; break; // PUSH1 MLOAD
      case 0xc6: gas = fused.loadAt(top, fused.shortAt(pc), gas); top += WORD_BYTES; pc += 3; break; // PUSH2 MLOAD
      case 0xc7: gas = fused.storeAt(top, load<u8>(pc), gas); top -= WORD_BYTES; pc += 2; break; // PUSH1 MSTORE
      case 0xc8: gas = fused.storeAt(top, fused.shortAt(pc), gas); top -= WORD_BYTES; pc += 3; break; // PUSH2 MSTORE
      case 0xc9: top = fused.pushDuplicate(top, pc); pc += 2; continue; // PUSH1 DUP2
      case 0xca: gas = fused.storeByteAtItem(top, pc, gas); pc += 3; break; // PUSH1 DUP2 MSTORE
      case 0xcb: fused.addByte(top, pc); gas = flow.mload(top, gas); pc += 3; break; // PUSH1 ADD MLOAD
      case 0x25: top = fused.pushBelow(top, pc); pc += 2; continue; // PUSH1 SWAP1
      case 0x26: top = fused.duplicateBelow(top, pc); pc += 3; continue; // PUSH1 DUP2 SWAP1
      case 0x27: top = fused.shiftedRight(top, pc); pc += 4; continue; // PUSH1 DUP2 SWAP1 SHR
      case 0x28: top = fused.shiftedLeft(top, pc); pc += 4; continue; // PUSH1 DUP2 SWAP1 SHL
      case 0xa8: fused.writeMask(top, pc); top += WORD_BYTES; pc += 7; continue; // PUSH1 PUSH1 PUSH1 SHL SUB
      case 0xa9: fused.mask(top, pc); pc += 8; continue; // PUSH1 PUSH1 PUSH1 SHL SUB AND
      case 0x29: top = fused.pushDuplicateThird(top, pc); pc += 2; continue; // PUSH1 DUP3
      case 0x2a: top = fused.pushZeroAnd(top, pc + 1); pc += 2; continue; // PUSH0 PUSH1
      case 0x2c: top = fused.pushNot(top, pc); pc += 2; continue; // PUSH1 NOT
      case 0x2f: top = fused.sumOf(top, pc + 1); pc += 3; continue; // DUP1 PUSH1 ADD
      case 0x4c: gas = fused.storeAt(top, 0, gas); top -= WORD_BYTES; pc++; break; // PUSH0 MSTORE

      // Fused instructions: stack
      case 0xa6: fused.lowerFirst(top); pc++; continue; // SWAP2 SWAP1
      case 0xa7: fused.raiseThird(top); pc++; continue; // SWAP1 SWAP2
      case 0xcc: top -= 2 * WORD_BYTES; pc++; continue; // POP POP
      case 0xcd: case 0xce: case 0xcf: case 0xd0: case 0xd1: // SWAP1 POP to SWAP5 POP
        top = fused.dropBelow(top, opcode - 0xcc);
        pc++;
        continue;
      case 0xd2: top = fused.duplicateTwo(top, 1, 1); pc++; continue; // DUP1 DUP1
      case 0xd3: top = fused.duplicateTwo(top, 1, 2); pc++; continue; // DUP1 DUP2
      case 0xd4: top = fused.duplicateTwo(top, 1, 3); pc++; continue; // DUP1 DUP3
      case 0xd5: top = fused.duplicateTwo(top, 1, 4); pc++; continue; // DUP1 DUP4
      case 0xd6: top = fused.duplicateTwo(top, 2, 1); pc++; continue; // DUP2 DUP1
      case 0xd7: top = fused.duplicateTwo(top, 2, 2); pc++; continue; // DUP2 DUP2
      case 0xd8: top = fused.duplicateTwo(top, 2, 3); pc++; continue; // DUP2 DUP3
      case 0xd9: top = fused.duplicateTwo(top, 2, 4); pc++; continue; // DUP2 DUP4
      case 0xda: top = fused.duplicateTwo(top, 3, 2); pc++; continue; // DUP3 DUP2
      case 0xdb: top = fused.duplicateTwo(top, 3, 3); pc++; continue; // DUP3 DUP3
      case 0xdc: top = fused.duplicateTwo(top, 3, 4); pc++; continue; // DUP3 DUP4

      // Fused instructions: operands that stay
      case 0xdd: case 0xde: case 0xdf: case 0xe0: case 0xe1: case 0xe2: // DUP1 ADD to DUP6 ADD
        fused.addItem(top, opcode - 0xdc);
        pc++;
        continue;
      case 0xe3: fused.lessThanItem(top); pc++; continue; // DUP2 LT
      case 0xe4: fused.greaterThanItem(top); pc++; continue; // DUP2 GT
      case 0xe5: fused.equalsItem(top); pc++; continue; // DUP2 EQ
      case 0xe6: case 0xe7: case 0xe8: // DUP1 MLOAD to DUP3 MLOAD
        gas = fused.loadAtItem(top, opcode - 0xe5, gas); top += WORD_BYTES; pc++; break;
      case 0xe9: gas = fused.storeAtItem(top, gas); top -= WORD_BYTES; pc++; break; // DUP2 MSTORE
      case 0x4b: // DUP2 MSTORE PUSH1 ADD
        gas = fused.storeAtItem(top, gas);
        top -= WORD_BYTES;
        fused.addByte(top, pc + 2);
        pc += 4;
        break;
      case 0xa5: gas = fused.storeBelowAt(top, gas); top -= 2 * WORD_BYTES; pc++; break; // SWAP1 MSTORE
      case 0x2e: gas = fused.storeBelow(top, gas); top -= WORD_BYTES; pc += 2; break; // SWAP1 DUP2 MSTORE
      case 0x2b: fused.andItem(top); pc++; continue; // DUP2 AND
      case 0x2d: fused.subtractItem(top); pc += 3; continue; // DUP1 SWAP2 SUB SWAP1
      case 0xea: top = fused.subtractFromItem(top); pc++; continue; // SWAP1 SUB
      case 0xeb: fused.isNotZero(top); pc++; continue; // ISZERO ISZERO
      case 0xec: top = fused.isNotLess(top); pc++; continue; // LT ISZERO
      case 0xed: top = fused.isNotGreater(top); pc++; continue; // GT ISZERO

      // System
      case 0xf0: saveRegisters(pc, top, gas); status = create(false); break; // CREATE
      case 0xf1: saveRegisters(pc, top, gas); status = call(CALL); break; // CALL
      case 0xf2: saveRegisters(pc, top, gas); status = call(CALL_CODE); break; // CALLCODE
      case 0xf3: gas = system.output(top, gas); status = SUCCESS; break; // RETURN
      case 0xf4: saveRegisters(pc, top, gas); status = call(DELEGATE_CALL); break; // DELEGATECALL
      case 0xf5: saveRegisters(pc, top, gas); status = create(true); break; // CREATE2
      case 0xfa: saveRegisters(pc, top, gas); status = call(STATIC_CALL); break; // STATICCALL
      case 0xfd: gas = system.output(top, gas); status = REVERT; break; // REVERT
      case 0xff: gas = system.selfdestruct(top, gas); status = SUCCESS; break; // SELFDESTRUCT
    }
    if (gas < 0 || status != NEXT_INSTRUCTION) break;
  }

  if (gas < 0) status = <i32>-gas;
  return status == CONTINUE || endFrame(status, gas);
}
