/**
 * Tracing: calls of the host while code runs. The compiler is given the constant TRACING, which makes three builds of
 * one source:
 *
 *   0  the plain one: the bodies below are empty, so it pays nothing
 *   1  steps: the host is told of every instruction, and of all that the next build tells. No instruction is fused
 *      with another there, and a jump does not go past its JUMPDEST
 *   2  calls: the host is told when calls begin and end, of logs and of self-destruction; instructions are fused
 *
 * The host is told as long as it listens. Where it does not, it can be told of calls to the console alone.
 */

import { consoleCalled, enter, leave, log, selfdestructed } from './host';
import { TRACED_GAS_LEFT, TRACED_BOUND, TRACED_HEIGHT, TRACED_OPCODE } from './layout';
import { WORD_BYTES } from './word';

/** True if this is the build of steps: there every instruction passes through the dispatch by itself. */
export const IS_TRACED: bool = TRACING == 1;

/** The console's address, "console.log", as the parts of a word. */
const CONSOLE_LOW: u64 = 0x736f_6c65_2e6c_6f67;
const CONSOLE_MIDDLE: u64 = 0x0063_6f6e;

export let hearsCalls: bool = false;
let hearsConsole: bool = false;
export let hearsSteps: bool = false;

/** Chooses the events that the host is notified of: calls, steps where the build has them, calls to the console. */
export function setListening(calls: bool, steps: bool, console: bool): void {
  hearsCalls = calls;
  hearsSteps = steps;
  hearsConsole = console;
}

@inline
function isConsole(address: usize): bool {
  return (
    load<u64>(address) == CONSOLE_LOW && load<u64>(address, 8) == CONSOLE_MIDDLE && load<u32>(address, 16) == 0
  );
}

/**
 * Notifies the host of a call or a creation that begins, by its opcode. `callerGas` is the gas of the caller after the
 * charge for the instruction; from, to and value are words.
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
  if (TRACING != 0) {
    if (hearsCalls) enter(kind, from, to, value, gas, callerGas, input, inputLength);
    if (hearsConsole) {
      if (isConsole(to)) consoleCalled(input, inputLength);
    }
  }
}

/** Notifies the host of the end of the call that began last and has not ended. */
@inline
export function traceLeave(status: i32, gasUsed: i64, output: usize, outputLength: usize): void {
  if (TRACING != 0) {
    if (hearsCalls) leave(status, gasUsed, output, outputLength);
  }
}

/** Notes the gas that the last instruction of the running frame left; less than 0 where it was too little. */
@inline
export function traceGasLeft(gas: i64): void {
  if (TRACING != 0) store<i64>(TRACED_GAS_LEFT, gas < 0 ? 0 : gas);
}

/** Notifies the host of a log in the buffer, and of the count before it. */
@inline
export function traceLog(place: usize, index: u32): void {
  if (TRACING != 0) {
    if (hearsCalls) log(place, index);
  }
}

/** Notifies the host that a contract gives its balance away; addresses and balance are words. */
@inline
export function traceSelfdestruct(from: usize, to: usize, balance: usize): void {
  if (TRACING != 0) {
    if (hearsCalls) selfdestructed(from, to, balance);
  }
}

/** Notes which instruction its rule has stopped: items on the stack, and the most or the least that it bears. */
@inline
export function traceFailure(opcode: u32, height: i32, bound: i32): void {
  if (TRACING != 0) {
    store<u32>(TRACED_OPCODE, opcode);
    store<u32>(TRACED_HEIGHT, height / <i32>WORD_BYTES);
    store<u32>(TRACED_BOUND, bound / <i32>WORD_BYTES);
  }
}
