import {
  type BlockContext,
  type CallFrame,
  CallFrames,
  type ConsoleInputs,
  type Execution,
  type HaltReason,
  type Message,
  operationGasMax,
  TraceBudget,
  TraceLimitError,
} from '../../evm/index.ts';
import { LOGGED_TRACE_BYTES_MAX, LOGGED_TRACE_MS_MAX } from '../../limits.ts';
import {
  type AccessList,
  type Address,
  type AuthorizationList,
  equalBytes,
  type Hash,
  invariant,
  ZERO_ADDRESS,
} from '../../protocol/index.ts';
import { ExecutionRevertedError } from '../errors/errors.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import { BASIC_FEE } from '../operations/operation-rules.ts';
import { receiverAt, refuseEvmAddress } from '../operations/receiver.ts';
import type { WorkingState } from '../state/working-state.ts';
import { throwCallError } from '../transactions/apply-transaction.ts';
import type { Overrides } from './overrides.ts';

/** Ethereum's texts of the ways in which code can halt. */
const DESCRIPTIONS: Readonly<Record<HaltReason, string>> = {
  outOfGas: 'out of gas',
  stackUnderflow: 'stack underflow',
  stackOverflow: 'stack limit reached 1024',
  invalidJump: 'invalid jump destination',
  invalidOpcode: 'invalid opcode',
  staticViolation: 'write protection',
  returnDataOutOfBounds: 'return data out of bounds',
  codeTooLarge: 'max code size exceeded',
  invalidCodePrefix: 'invalid code: must not begin with 0xef',
  createCollision: 'contract address collision',
  intrinsicGasTooLow: 'intrinsic gas too low',
  initCodeTooLarge: 'max initcode size exceeded',
  precompileFailure: 'precompiled contract failed',
  balanceOverflow: 'balance overflow: the receiver would have more than 2^256 - 1 wei',
  insufficientBalance: 'insufficient funds for transfer',
};

/** Returns the text of a halt for callers. */
export function describeHalt(reason: HaltReason): string {
  return DESCRIPTIONS[reason];
}

/**
 * Returns the call tree of a failing call, from running it once more with call tracing; undefined if it ends before any
 * code runs, or exceeds the budget.
 */
export function failedCall(
  state: WorkingState,
  block: BlockContext,
  message: CallMessage,
  gas: bigint,
): CallFrame | undefined {
  const budget = new TraceBudget(LOGGED_TRACE_BYTES_MAX, LOGGED_TRACE_MS_MAX);
  const frames = new CallFrames(budget, { withPaths: true });
  const { engine } = state;
  engine.listener = frames;
  try {
    const { gasUsed } = runCall(state, block, message, { gas, deadline: budget.deadline });
    // The gas of a transaction with this call, as callTracer reports it.
    return frames.isEmpty ? undefined : { ...frames.root, gasUsed };
  } catch (error) {
    if (error instanceof TraceLimitError || error instanceof RefusedError) return undefined;
    throw error;
  } finally {
    engine.listener = undefined;
  }
}

/** A call that leaves nothing behind: docs/interface.md#calls-and-estimates, `eth_call`. */
export interface CallMessage {
  /** Default: the zero address. */
  readonly from?: Address | undefined;
  /** Absent: the data is run as init code. */
  readonly to?: Address | undefined;
  /** In wei, which is a native unit on chains without Ethereum. */
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly gas?: bigint | undefined;
  /** In wei; the GASPRICE of code. With 0, BASEFEE is 0 too. Default: the price of a unit of gas. */
  readonly gasPrice?: bigint | undefined;
  /** In wei; maximum price of a unit of gas, with which the sender's balance bounds an estimate. */
  readonly feeCap?: bigint | undefined;
  readonly accessList?: AccessList | undefined;
  /** Authorizations to apply before the call (EIP-7702). */
  readonly authorizationList?: AuthorizationList | undefined;
  /** Results of BLOBHASH; absent: none. The blobs are not paid. */
  readonly blobHashes?: readonly Hash[] | undefined;
  /** True for the estimate of a test call, whose gas is free. */
  readonly isFree?: boolean | undefined;
  /** True to state balances in wei in errors; else in whole units. */
  readonly reportsWei?: boolean | undefined;
  /** State and block overrides. */
  readonly overrides?: Overrides | undefined;
  /** Milliseconds that it may take; absent: as long as its gas lasts. */
  readonly timeLimit?: number | undefined;
}

/** Limits of one execution of a call. */
export interface CallAllowance {
  readonly gas: bigint;
  /** Time of `performance.now()` at which it aborts; undefined for none. */
  readonly deadline: number | undefined;
}

/** The outcome of a call; `gasUsed` includes intrinsic gas and refunds. */
export type CallOutcome =
  | { readonly status: 'success' | 'revert'; readonly output: Uint8Array; readonly gasUsed: bigint }
  | { readonly status: 'halt'; readonly halt: HaltReason; readonly gasUsed: bigint };

/** An outcome with the gas that the same course needs, as estimated by the engine. */
export type CallAttempt = CallOutcome & {
  readonly gasNeeded: bigint;
  /** Console output of the code, if there was any and it was recorded. */
  readonly consoleCalls?: ConsoleInputs | undefined;
};

const NO_BYTES = new Uint8Array(0);

/** First step of the search for the least gas above a failing guess, and the factor of each further step. */
const FIRST_STEP = 1_024n;
const STEP_GROWTH = 4n;

/** Returns the deadline of a call that begins now. */
export function deadlineOf({ timeLimit }: CallMessage): number | undefined {
  return timeLimit === undefined ? undefined : performance.now() + timeLimit;
}

/**
 * Runs a call in the context of a block and reverts its changes. Throws `RefusedError` if the engine has no room for it
 * or at the deadline; the engine is cleared then.
 */
export function runCall(
  state: WorkingState,
  block: BlockContext,
  message: CallMessage,
  { gas, deadline }: CallAllowance,
): CallAttempt {
  if (deadline !== undefined && performance.now() > deadline) {
    refuse({ code: 'callTimedOut', seconds: secondsOf(message) });
  }
  state.engine.setBlock(visibleBlock(block, message));
  const checkpoint = state.engine.checkpoint();
  try {
    const execution = executeCall(state, message, gas, deadline);
    const { status, output, halt, gasUsed, gasNeeded, consoleCalls } = execution;
    const shared = { gasUsed, gasNeeded, ...(consoleCalls && { consoleCalls }) };
    if (status !== 'halt') return { status, output, ...shared };
    invariant(halt !== undefined, 'a halt has a reason');
    return { status, halt, ...shared };
  } catch (error) {
    throwCallError(error, secondsOf(message));
  } finally {
    state.engine.revertTo(checkpoint);
  }
}

/** Executes a call in the engine's block. Its changes stay until the caller reverts them. */
export function executeCall(
  state: WorkingState,
  message: CallMessage,
  gas: bigint,
  deadline: Message['deadline'],
): Execution {
  const { from = ZERO_ADDRESS, authorizationList } = message;
  const { engine } = state;
  // Authorizations of the sender name the nonce that it has once its transaction runs.
  if (authorizationList !== undefined) engine.setNonce(from, (engine.accountState(from)?.nonce ?? 0n) + 1n);
  return engine.execute(callInput(state, message, gas, deadline));
}

/** Returns the engine's input for a call. A single object literal, because the engine reads a spread object slowly. */
function callInput(
  { rules }: WorkingState,
  message: CallMessage,
  gas: bigint,
  deadline: Message['deadline'],
): Message {
  const { from = ZERO_ADDRESS, to, value = 0n, data = NO_BYTES, accessList } = message;
  const { gasPrice = rules.weiPerUnit, authorizationList, blobHashes } = message;
  return {
    caller: from,
    to,
    value,
    data,
    gas,
    gasPrice,
    accessList,
    authorizationList,
    blobHashes,
    payForGas: false,
    deadline,
  };
}

/** Returns the block context of a call: with a gas price of 0 the base fee is 0 too, as in geth. */
export function visibleBlock(block: BlockContext, { gasPrice }: CallMessage): BlockContext {
  return gasPrice === 0n ? { ...block, baseFee: 0n } : block;
}

/** Returns the time limit of a call in seconds. */
export function secondsOf({ timeLimit = 0 }: CallMessage): number {
  return timeLimit / 1_000;
}

/**
 * Estimates the least fee with which the operation of this message succeeds: docs/interface.md#calls-and-estimates,
 * `eth_estimateGas`. Throws `RefusedError`, or `ExecutionRevertedError` with the revert data.
 */
export function estimate(
  state: WorkingState,
  message: CallMessage,
  run: (gas: bigint) => CallAttempt,
): bigint {
  const value = message.value ?? 0n;
  if (message.to !== undefined && isAccount(state, message.to)) {
    if (message.data !== undefined && message.data.length > 0) {
      refuse({ code: 'transferWithData', address: message.to });
    }
    checkFunds(state, message, message.isFree === true ? value : value + state.inWei(BASIC_FEE));
    return BASIC_FEE;
  }
  checkFunds(state, message, value);
  const most = operationGasMax(state.rules.hardfork);
  let enough = message.gas !== undefined && message.gas < most ? message.gas : most;
  const payer = payerOf(message);
  if (payer !== undefined && message.isFree !== true) {
    const affordable = (state.engine.balanceOf(payer) - value) / state.rules.weiPerUnit;
    if (affordable < enough) enough = affordable;
  }
  const first = run(enough);
  failUnlessSuccess(state, message, first, enough);

  return leastGas(first.gasUsed - 1n, enough, first.gasNeeded, (gas) => run(gas).status === 'success');
}

/**
 * Returns the least gas with which an Ethereum transaction of this message succeeds: at least 21,000. The balance of
 * the sender bounds it if the message names a fee.
 * @throws RefusedError, or ExecutionRevertedError with the revert data
 */
export function estimateTransaction(
  state: WorkingState,
  message: CallMessage,
  run: (gas: bigint) => CallAttempt,
): bigint {
  const { from, value = 0n, feeCap = 0n, gas } = message;
  const have = from === undefined ? 0n : state.engine.balanceOf(from);
  if (from !== undefined && have < value)
    refuse({ code: 'insufficientWei', sender: from, have, want: value });
  let enough = operationGasMax(state.rules.hardfork);
  for (const bound of [gas, state.rules.blockGasLimit])
    if (bound !== undefined && bound < enough) enough = bound;
  if (from !== undefined && feeCap > 0n) {
    const affordable = (have - value) / feeCap;
    if (affordable < enough) enough = affordable;
  }
  const first = run(enough);
  failUnlessSuccess(state, { ...message, isFree: true }, first, enough);
  return leastGas(first.gasUsed - 1n, enough, first.gasNeeded, (least) => run(least).status === 'success');
}

/**
 * Returns true for the address of an account, where no code runs. Throws `RefusedError` for an address that cannot be
 * called.
 */
function isAccount(state: WorkingState, address: Address): boolean {
  // The code may be an override.
  const hasCode = state.engine.accountState(address)?.codeHash !== undefined;
  return !hasCode && receiverAt(state, address).kind !== 'contract';
}

/**
 * Searches the least gas that succeeds, above `tooLittle` and up to `enough`. The guess, mostly right, is tried first,
 * then one less. Above a failing guess the steps grow, and the last interval is halved.
 */
function leastGas(
  tooLittle: bigint,
  enough: bigint,
  guess: bigint,
  succeeds: (gas: bigint) => boolean,
): bigint {
  let [low, high] = [tooLittle, enough];
  const attempt = (gas: bigint): void => {
    if (gas <= low || gas >= high) return;
    if (succeeds(gas)) high = gas;
    else low = gas;
  };
  attempt(guess);
  attempt(guess - 1n);
  if (low === guess) {
    for (let step = FIRST_STEP; step < high - low; step *= STEP_GROWTH) {
      const gas = low + step;
      attempt(gas);
      if (high === gas) break;
    }
  }
  while (high - low > 1n) attempt((low + high) / 2n);
  return high;
}

function checkFunds(state: WorkingState, message: CallMessage, want: bigint): void {
  const payer = payerOf(message);
  if (payer === undefined || state.engine.balanceOf(payer) >= want) return;
  refuseForFunds(state, payer, want, message);
}

/** Returns the payer; undefined without a sender, for which clients also write the zero address. */
function payerOf({ from }: CallMessage): Address | undefined {
  return from === undefined || equalBytes(from, ZERO_ADDRESS) ? undefined : from;
}

function refuseForFunds(
  state: WorkingState,
  payer: Address,
  want: bigint,
  { reportsWei = false }: CallMessage,
): never {
  refuseEvmAddress(state, payer);
  if (reportsWei) {
    refuse({ code: 'insufficientWei', sender: payer, have: state.engine.balanceOf(payer), want });
  }
  const { weiPerUnit } = state.rules;
  const have = state.balanceOf(payer);
  return refuse({ code: 'insufficientFunds', payer, have, want: want / weiPerUnit });
}

/** Throws `RefusedError` if the sender of a call lacks the value; a contract that lacks it fails its call instead. */
export function requireFunded(state: WorkingState, message: CallMessage, outcome: CallOutcome): CallOutcome {
  if (outcome.status === 'halt' && outcome.halt === 'insufficientBalance') {
    refuseForFunds(state, message.from ?? ZERO_ADDRESS, message.value ?? 0n, message);
  }
  return outcome;
}

function failUnlessSuccess(
  state: WorkingState,
  { from, value = 0n, isFree = false }: CallMessage,
  outcome: CallOutcome,
  gas: bigint,
): void {
  if (outcome.status === 'revert') throw new ExecutionRevertedError(outcome.output);
  if (outcome.status !== 'halt') return;
  if (outcome.halt === 'outOfGas' || outcome.halt === 'intrinsicGasTooLow') {
    const isPoor = from !== undefined && !isFree && state.engine.balanceOf(from) <= state.inWei(gas) + value;
    if (isPoor) refuseEvmAddress(state, from);
    refuse({ code: 'gasAllowance', gas });
  }
  refuse({ code: 'executionHalted', halt: describeHalt(outcome.halt) });
}
