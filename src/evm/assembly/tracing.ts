/**
 * Tracing: notifications of the host of the begin and end of calls, of logs and of self-destruction. `setTracing`
 * selects the reported events; calls to the console can be reported alone. The compiler's constant STEPS makes a second
 * build, which can report every instruction too: it fuses no instructions, and a jump does not skip its JUMPDEST.
 */

import { consoleCalled, enter, leave, log, selfdestructed } from './host';
import { TRACED_GAS_LEFT, TRACED_BOUND, TRACED_HEIGHT, TRACED_OPCODE } from './layout';
import { WORD_BYTES } from './word';

/** True in the build of steps. */
export const REPORTS_STEPS: bool = STEPS == 1;

/** The console's address, the text "console.log", as limbs. */
const CONSOLE_LOW: u64 = 0x736f_6c65_2e6c_6f67;
const CONSOLE_MIDDLE: u64 = 0x0063_6f6e;

export let tracesCalls: bool = false;
let tracesConsole: bool = false;
export let tracesSteps: bool = false;

/** Selects the reported events: calls, steps (in their build), calls to the console. */
export function setTracing(calls: bool, steps: bool, console: bool): void {
  tracesCalls = calls;
  tracesSteps = steps;
  tracesConsole = console;
}

@inline
function isConsole(address: usize): bool {
  return (
    load<u64>(address) == CONSOLE_LOW && load<u64>(address, 8) == CONSOLE_MIDDLE && load<u32>(address, 16) == 0
  );
}

/**
 * Notifies the host of the start of a call or creation; `kind` is its opcode. `callerGas` is the gas of the caller
 * after the charge for the instruction; from, to and value are words.
 */
@inline
export function traceEnter(
  kind: u32,
  from: usize,
  to: usize,
  value: usize,
  gas: i64,
  callerGas: i64,
  input: usize,
  inputLength: usize,
): void {
  if (tracesCalls) enter(kind, from, to, value, gas, callerGas, input, inputLength);
  if (tracesConsole) {
    if (isConsole(to)) consoleCalled(input, inputLength);
  }
}

/** Notifies the host of the end of the innermost running call. */
@inline
export function traceLeave(status: i32, gasUsed: i64, output: usize, outputLength: usize): void {
  if (tracesCalls) leave(status, gasUsed, output, outputLength);
}

/** Records the gas left by the last instruction of the running frame; a negative gas counts as 0. */
@inline
export function traceGasLeft(gas: i64): void {
  store<i64>(TRACED_GAS_LEFT, gas < 0 ? 0 : gas);
}

/** Notifies the host of a log at an address of the buffer, and of its index. */
@inline
export function traceLog(address: usize, index: u32): void {
  if (tracesCalls) log(address, index);
}

/** Notifies the host of a SELFDESTRUCT; addresses and balance are words. */
@inline
export function traceSelfdestruct(from: usize, to: usize, balance: usize): void {
  if (tracesCalls) selfdestructed(from, to, balance);
}

/** Records an instruction that its rule stopped: height of the stack, and the bound that it violates, in bytes. */
@inline
export function traceFailure(opcode: u32, height: i32, bound: i32): void {
  store<u32>(TRACED_OPCODE, opcode);
  store<u32>(TRACED_HEIGHT, height / <i32>WORD_BYTES);
  store<u32>(TRACED_BOUND, bound / <i32>WORD_BYTES);
}
