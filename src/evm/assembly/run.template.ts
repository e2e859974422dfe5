/**
 * The run loop, without its cases: `scripts/instructions.js` takes them from the tables of the instructions
 * (`instructions/`) and writes the whole to `build/evm/run.ts`. Program counter, stack top and gas live in its
 * locals; a frame's own are loaded when it begins or goes on. The rule of an opcode (`opcode-rules.ts`) is
 * checked before its body, so bodies find their operands, room for their result, and their fixed gas already
 * taken.
 */

import { call } from './calls';
import { create } from './creates';
import { endFrame } from './ends';
import { codeLength, codeStart, frame, returnDataLength, saveRegisters } from './frames';
import { charge, JUMP_DESTINATION, outOfGas } from './gas';
import { CONTINUE, INVALID_JUMP, REVERT as REVERTED, SUCCESS } from './halt';
import * as layout from './layout';
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
import { IS_TRACED } from './tracing';
import { beginPath, traceEnd, tracePath, traceStep } from './tracing-steps';
import { copyWord, equals, isZero, lessThan, signedLessThan, WORD_BYTES } from './word';
// names

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
  const base = <usize>load<u32>(frame, layout.FRAME_STACK_BASE);
  let pc = <usize>load<u32>(frame, layout.FRAME_PROGRAM_COUNTER);
  let top = <usize>load<u32>(frame, layout.FRAME_STACK_TOP);
  let gas = load<i64>(frame, layout.FRAME_GAS);
  let status: i32 = NEXT_INSTRUCTION;
  beginPath();

  while (true) {
    const opcode = <u32>load<u8>(pc);
    tracePath(pc);
    traceStep(pc, opcode, gas, base, top);
    pc++;
    const rule = layout.OPCODE_RULES + <usize>opcode * layout.RULE_BYTES;
    const height = <u32>(top - base);
    if (height - load<u32>(rule, layout.RULE_LEAST_HEIGHT) > load<u32>(rule, layout.RULE_ROOM)) {
      gas = ruleFailure(pc - 1, height, gas);
      break;
    }
    gas -= <i64>load<u32>(rule, layout.RULE_GAS);
    if (gas < 0) {
      gas = ruleFailure(pc - 1, height, gas + <i64>load<u32>(rule, layout.RULE_GAS));
      break;
    }
    switch (opcode) {
      // cases
    }
    if (gas < 0 || status != NEXT_INSTRUCTION) break;
  }

  if (gas < 0) status = <i32>-gas;
  if (status == CONTINUE) return true;
  traceEnd(pc);
  return endFrame(status, gas);
}
