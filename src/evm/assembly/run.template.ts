/**
 * The run loop without its cases: `scripts/wasm/instructions.js` inserts them from the tables of `instructions/` and
 * writes the result to `build/evm/run.ts`. Program counter, stack top and gas are locals, loaded when a frame begins or
 * continues. The rule of an opcode (`opcode-rules.ts`) is checked before its body, so a body can rely on its operands,
 * on space for its result, and on its fixed gas being charged.
 */

import { call } from './call';
import { create } from './create';
import { endFrame } from './frame-return';
import { codeLength, codeStart, frame, ownAccount, returnDataLength, saveRegisters } from './frames';
import { charge, JUMP_DESTINATION, outOfGas } from './gas';
import { CONTINUE, INVALID_JUMP, PATH_RECORDED, REVERT as REVERTED, SUCCESS } from './halt';
import * as layout from './layout';
import { memorySize } from './memory';
import { multiplyModulo } from './modular-multiplication';
import { ruleFailure } from './opcode-rules';
import * as arithmetic from './opcodes/arithmetic';
import * as environment from './opcodes/environment';
import * as fused from './opcodes/fused';
import * as flow from './opcodes/memory-storage-flow';
import * as stack from './opcodes/stack';
import * as system from './opcodes/system';
import { REPORTS_STEPS } from './tracing';
import { traceEnd, traceStep } from './tracing-steps';
import { readTransient } from './transient-storage';
import * as word from './word';
import { copyWord, equals, isZero, lessThan, setWord, signedLessThan, WORD_BYTES } from './word';
import * as division from './word-division';
import { multiply } from './word-multiplication';
// names

/** Status of a frame that continues with its next instruction. */
const NEXT_INSTRUCTION: i32 = -1;

/** Runs frames until none is left. */
export function run(): void {
  while (runFrame()) {}
}

/** Charges the JUMPDEST of a jump, which the jump skips except in the build of steps. */
@inline
function chargeJump(target: usize, gas: i64): i64 {
  if (!target) return -(<i64>INVALID_JUMP);
  const left = REPORTS_STEPS ? gas : gas - JUMP_DESTINATION;
  return left < 0 ? outOfGas() : left;
}

/**
 * Runs the current frame until it ends, or another one begins or continues. Returns true if a frame is to run, with its
 * registers in memory. Cases that cannot fail `continue`; the others `break` to the check of gas and status. A negative
 * gas is a negated code of a halt; the status CONTINUE requests that the registers be loaded.
 */
function runFrame(): bool {
  const base = <usize>load<u32>(frame, layout.FRAME_STACK_BASE);
  let pc = <usize>load<u32>(frame, layout.FRAME_PROGRAM_COUNTER);
  let top = <usize>load<u32>(frame, layout.FRAME_STACK_TOP);
  let gas = load<i64>(frame, layout.FRAME_GAS);
  let status: i32 = NEXT_INSTRUCTION;

  while (true) {
    const opcode = <u32>load<u8>(pc);
    traceStep(pc, opcode, gas, base, top);
    pc++;
    const rule = layout.RUNNING_RULES + <usize>opcode * layout.RULE_BYTES;
    const height = <u32>(top - base);
    if (height - load<u32>(rule, layout.RULE_MIN_HEIGHT) > load<u32>(rule, layout.RULE_HEIGHT_RANGE)) {
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
  if (status == CONTINUE || status == PATH_RECORDED) return true;
  traceEnd(pc);
  return endFrame(status, gas);
}
