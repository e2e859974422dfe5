import { type BlockContext, EngineError, type HaltReason } from '../evm/index.ts';
import type { AccountId, Address, ContractId } from '../protocol/index.ts';
import { accountAddress, addressOwner, invariant, ZERO_ADDRESS } from '../protocol/index.ts';
import { engineRefusal } from './engine-failure.ts';
import { ExecutionRevertedError } from './errors.ts';
import { BASIC_FEE, operationGasMax } from './fees.ts';
import { describeHalt } from './halt.ts';
import { refuse } from './refusal.ts';
import type { WorkingState } from './working-state.ts';

/** A call that leaves nothing behind: specification 4.2, `eth_call`. */
export interface CallMessage {
  /** Default: the zero address. */
  readonly from?: Address | undefined;
  /** Absent: the data is run as init code. */
  readonly to?: Address | undefined;
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly gas?: bigint | undefined;
  /** Milliseconds that it may take; absent: as long as its gas lasts. */
  readonly timeLimit?: number | undefined;
}

/** What one execution of a call may use. */
export interface CallAllowance {
  readonly gas: bigint;
  /** Moment of `performance.now()` at which it is given up; undefined for none. */
  readonly deadline: number | undefined;
}

/** What a call came to; `gasUsed` includes intrinsic gas and refunds. */
export type CallOutcome =
  | { readonly status: 'success' | 'revert'; readonly output: Uint8Array; readonly gasUsed: bigint }
  | { readonly status: 'halt'; readonly halt: HaltReason; readonly gasUsed: bigint };

/** What an address stands for when something is sent to it. */
export type Receiver =
  | { readonly kind: 'account'; readonly address: Address; readonly id: AccountId }
  | { readonly kind: 'contract'; readonly address: Address; readonly id: ContractId };

const NO_BYTES = new Uint8Array(0);

/** The search for the least gas goes up from a guess that fails by so much, then by so many times as much. */
const FIRST_STEP = 1_024n;
const STEP_GROWTH = 4n;

/** When a call that begins now has to be through. */
export function deadlineOf({ timeLimit }: CallMessage): number | undefined {
  return timeLimit === undefined ? undefined : performance.now() + timeLimit;
}

/**
 * Runs a call in the context of a block and takes everything back. Throws `RefusedError` where the engine has no
 * room for it or the deadline comes; the engine is as good as new then.
 */
export function runCall(
  state: WorkingState,
  block: BlockContext,
  message: CallMessage,
  { gas, deadline }: CallAllowance,
): CallOutcome {
  if (deadline !== undefined && performance.now() > deadline) refuseForTime(message);
  state.engine.setBlock(block);
  const checkpoint = state.engine.checkpoint();
  try {
    const { status, output, gasUsed, halt } = state.engine.execute({
      caller: message.from ?? ZERO_ADDRESS,
      to: message.to,
      value: message.value ?? 0n,
      data: message.data ?? NO_BYTES,
      gas,
      gasPrice: 1n,
      payForGas: false,
      deadline,
    });
    if (status !== 'halt') return { status, output, gasUsed };
    invariant(halt !== undefined, 'a halt has a reason');
    return { status, halt, gasUsed };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.failure === 'outOfTime') refuseForTime(message);
    throw engineRefusal(error);
  } finally {
    state.engine.revertTo(checkpoint);
  }
}

function refuseForTime({ timeLimit }: CallMessage): never {
  return refuse({ code: 'callTimedOut', seconds: (timeLimit ?? 0) / 1_000 });
}

/** Finds out what is at an address. Throws `RefusedError` where nothing is that could receive. */
export function receiverAt(state: WorkingState, address: Address): Receiver {
  const contract = state.native.contractId(address);
  if (contract !== undefined) return { kind: 'contract', address, id: contract };
  const owner = addressOwner(address);
  if (owner.kind === 'account' && state.native.account(owner.id) !== undefined) {
    return { kind: 'account', address, id: owner.id };
  }
  const registered = state.native.accountByEvmAddress(address);
  return refuse({
    code: 'unknownReceiver',
    address,
    accountAddress: registered === undefined ? undefined : accountAddress(registered),
  });
}

/**
 * The least fee ceiling with which the operation for this message succeeds: specification 4.2,
 * `eth_estimateGas`. Throws `RefusedError`, or `ExecutionRevertedError` with the revert data.
 */
export function estimate(
  state: WorkingState,
  message: CallMessage,
  run: (gas: bigint) => CallOutcome,
): bigint {
  const value = message.value ?? 0n;
  if (message.to !== undefined && receiverAt(state, message.to).kind === 'account') {
    if (message.data !== undefined && message.data.length > 0) {
      refuse({ code: 'transferWithData', address: message.to });
    }
    checkFunds(state, message, value + BASIC_FEE);
    return BASIC_FEE;
  }
  checkFunds(state, message, value);
  const most = operationGasMax(state.hardfork);
  let enough = message.gas !== undefined && message.gas < most ? message.gas : most;
  if (message.from !== undefined) {
    const affordable = state.engine.balanceOf(message.from) - value;
    if (affordable < enough) enough = affordable;
  }
  const first = run(enough);
  failUnlessSuccess(first, enough);

  return leastGas(
    first.gasUsed - 1n,
    enough,
    state.engine.gasNeeded(),
    (gas) => run(gas).status === 'success',
  );
}

/**
 * The least gas that succeeds, where `tooLittle` does not and `enough` does. The guess is mostly right: it is tried
 * first, then what is one less. Above a guess that fails the steps grow, and what is left in between is halved.
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
  if (message.from === undefined) return;
  const have = state.engine.balanceOf(message.from);
  if (have < want) refuse({ code: 'insufficientFunds', payer: message.from, have, want });
}

function failUnlessSuccess(outcome: CallOutcome, gas: bigint): void {
  if (outcome.status === 'revert') throw new ExecutionRevertedError(outcome.output);
  if (outcome.status !== 'halt') return;
  if (outcome.halt === 'outOfGas' || outcome.halt === 'intrinsicGasTooLow')
    refuse({ code: 'gasAllowance', gas });
  refuse({ code: 'executionHalted', halt: describeHalt(outcome.halt) });
}
