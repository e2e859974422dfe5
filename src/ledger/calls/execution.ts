import {
  type BaseFees,
  type BlockContext,
  type CallFrame,
  CallFrames,
  type ConsoleInputs,
  type Engine,
  type Execution,
  type HaltReason,
  type Message,
  messageGas,
  TraceBudget,
  TraceLimitError,
} from '../../evm/index.ts';
import {
  type AccessList,
  type Address,
  type AuthorizationList,
  createAddress,
  type Hash,
  invariant,
  ZERO_ADDRESS,
} from '../../protocol/index.ts';
import { RefusedError, refuse } from '../errors/refusal.ts';
import { requireInitCode } from '../operations/contract.ts';
import { refuseEvmAddress } from '../operations/receiver.ts';
import type { WorkingState } from '../state/working-state.ts';
import { throwCallError } from '../transactions/apply-transaction.ts';
import { blobCost, type CallFees, feeRefusal, mostCost, priceOf, visibleFees } from './call-fees.ts';
import type { Overrides } from './overrides.ts';

/** Bytes of the calls of a failed transaction in the node's log; the rest is left out. */
export const LOGGED_TRACE_BYTES_MAX = 4 * 1024 * 1024;
/** Milliseconds to trace the failed transactions of a block for the node's log. */
export const LOGGED_TRACE_MS_MAX = 1_000;

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
  /** Fees of an Ethereum transaction; absent: GASPRICE is that of a native operation, and nothing is paid. */
  readonly fees?: CallFees | undefined;
  readonly accessList?: AccessList | undefined;
  /** Authorizations to apply before the call (EIP-7702). */
  readonly authorizationList?: AuthorizationList | undefined;
  /** Results of BLOBHASH; absent: none. */
  readonly blobHashes?: readonly Hash[] | undefined;
  /** True if nothing is paid for gas, whatever the fees. */
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
  | {
      readonly status: 'success' | 'revert';
      readonly output: Uint8Array;
      readonly gasUsed: bigint;
      readonly halt?: undefined;
    }
  | { readonly status: 'halt'; readonly halt: HaltReason; readonly gasUsed: bigint };

/** An outcome, or an execution, of which only the reason of a halt is looked at. */
interface HaltedOutcome {
  readonly halt?: HaltReason | undefined;
}

/** An outcome with the gas that the same course needs, as estimated by the engine. */
export type CallAttempt = CallOutcome & {
  readonly gasNeeded: bigint;
  /** Console output of the code, if there was any and it was recorded. */
  readonly consoleCalls?: ConsoleInputs | undefined;
};

const NO_BYTES = new Uint8Array(0);

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
  const checkpoint = state.engine.checkpoint();
  try {
    const execution = executeCall(state, block, message, { gas, deadline });
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

/** Terms of one execution of a call. */
interface ExecutionTerms {
  readonly gas: bigint;
  readonly deadline: Message['deadline'];
  /** True to raise the nonce of its sender, and to credit the fee; absent: false. */
  readonly isTransaction?: boolean;
}

/**
 * Executes a call in a block. Its changes stay until the caller reverts them.
 * @throws RefusedError for fees below those of the block, and if the sender cannot buy the gas
 */
export function executeCall(
  state: WorkingState,
  block: BlockContext,
  message: CallMessage,
  { gas, deadline, isTransaction = false }: ExecutionTerms,
): Execution {
  const { authorizationList, fees } = message;
  const { engine } = state;
  const visible = visibleFees(block, fees);
  engine.setBlock(block, visible);
  if (fees !== undefined) buyBlobs(state, visible, message, gas);
  const input = callInput(state, visible, message, gas, deadline);
  if (isTransaction) return executeTransaction(engine, block, input);
  // Authorizations of the sender name the nonce that it has once its transaction runs.
  if (authorizationList !== undefined) raiseNonce(engine, input.caller);
  return engine.execute(input);
}

/** Checks the fees and that the sender can buy all gas at its caps, and charges it for the blobs, as geth does. */
function buyBlobs(state: WorkingState, block: BaseFees, message: CallMessage, gas: bigint): void {
  const { from = ZERO_ADDRESS, value = 0n, fees, blobHashes, isFree } = message;
  if (fees === undefined || isFree === true) return;
  const refusal = feeRefusal(from, fees, block, false);
  if (refusal !== undefined) refuse(refusal);
  const cost = mostCost(fees, gas, blobHashes);
  if (cost === 0n) return;
  if (state.engine.balanceOf(from) < cost + value) refuseForFunds(state, from, cost + value, message);
  state.engine.debit(from, blobCost(blobHashes, block.blobBaseFee));
}

const NONCE_BITS = 64;

/** Raises the nonce of an account, and returns the one before. A nonce of 2^64 - 1 is followed by 0, as in geth. */
function raiseNonce(engine: Engine, address: Address): bigint {
  const nonce = engine.accountState(address)?.nonce ?? 0n;
  engine.setNonce(address, BigInt.asUintN(NONCE_BITS, nonce + 1n));
  return nonce;
}

/** Executes a message as a transaction with the next nonce of its sender. The coinbase receives what the gas costs. */
export function executeTransaction(
  engine: Engine,
  { coinbase }: BlockContext,
  message: Omit<Message, 'newAddress'>,
): Execution {
  const { caller, to, gasPrice, payForGas } = message;
  const nonce = raiseNonce(engine, caller);
  const newAddress = to === undefined ? createAddress(caller, nonce) : undefined;
  const execution = engine.execute({ ...message, newAddress });
  if (payForGas) engine.credit(coinbase, execution.gasUsed * gasPrice);
  return execution;
}

/** Returns the engine's input for a call. A single object literal, because the engine reads a spread object slowly. */
function callInput(
  { rules }: WorkingState,
  { baseFee }: BaseFees,
  message: CallMessage,
  gas: bigint,
  deadline: Message['deadline'],
): Message {
  const { from = ZERO_ADDRESS, to, value = 0n, data = NO_BYTES, accessList, fees } = message;
  const { authorizationList, blobHashes, isFree } = message;
  const gasPrice = fees === undefined ? rules.weiPerUnit : priceOf(fees, baseFee);
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
    payForGas: fees !== undefined && gasPrice > 0n && isFree !== true,
    deadline,
  };
}

/** Returns the time limit of a call in seconds. */
export function secondsOf({ timeLimit = 0 }: CallMessage): number {
  return timeLimit / 1_000;
}

/** Throws `RefusedError` for a payer that lacks funds. */
export function refuseForFunds(
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
export function requireFunded(state: WorkingState, message: CallMessage, outcome: HaltedOutcome): void {
  if (outcome.halt !== 'insufficientBalance') return;
  refuseForFunds(state, message.from ?? ZERO_ADDRESS, message.value ?? 0n, message);
}

/** Throws `RefusedError` for a call that could not begin, with the numbers of its limits, as geth does. */
export function requireBegun<T extends HaltedOutcome>(
  state: WorkingState,
  message: CallMessage,
  outcome: T,
  gas: bigint,
): T {
  const { to, data = NO_BYTES, accessList, authorizationList } = message;
  const creates = to === undefined;
  requireFunded(state, message, outcome);
  if (outcome.halt === 'intrinsicGasTooLow') {
    const input = { data, creates, accessList, authorizationList };
    const { intrinsic, floor } = messageGas(state.rules.hardfork, input);
    if (gas < intrinsic) refuse({ code: 'intrinsicGas', have: gas, want: intrinsic });
    refuse({ code: 'floorDataGas', have: gas, want: floor });
  }
  // Code that creates a contract can halt for the same reason.
  if (outcome.halt === 'initCodeTooLarge' && creates) requireInitCode(state.rules, data);
  return outcome;
}
