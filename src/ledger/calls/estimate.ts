import { operationGasMax } from '../../evm/index.ts';
import { type Address, equalBytes, ZERO_ADDRESS } from '../../protocol/index.ts';
import { ExecutionRevertedError } from '../errors/chain-errors.ts';
import { refuse } from '../errors/refusal.ts';
import { TRANSACTION_GAS, transactionGasMax } from '../operations/ethereum-transaction.ts';
import { BASIC_FEE } from '../operations/operation-rules.ts';
import { receiverAt, refuseEvmAddress } from '../operations/receiver.ts';
import type { WorkingState } from '../state/working-state.ts';
import { blobCost } from './call-fees.ts';
import {
  type CallAttempt,
  type CallMessage,
  type CallOutcome,
  describeHalt,
  refuseForFunds,
  requireFunded,
} from './execution.ts';

/** First step of the search for the least gas above a failing guess, and the factor of each further step. */
const FIRST_STEP = 1_024n;
const STEP_GROWTH = 4n;

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
 * Returns the least gas with which an Ethereum transaction of this message succeeds: at least 21,000. As in geth, a
 * lower limit is ignored, and the balance of the sender bounds it if the message names a fee.
 * @throws RefusedError, or ExecutionRevertedError with the revert data
 */
export function estimateTransaction(
  state: WorkingState,
  blockGasLimit: bigint,
  message: CallMessage,
  run: (gas: bigint) => CallAttempt,
): bigint {
  const { gas = 0n } = message;
  const affordable = affordableGas(state, message);
  let enough = transactionGasMax(state.rules);
  for (const bound of [gas < TRANSACTION_GAS ? undefined : gas, blockGasLimit, affordable]) {
    if (bound !== undefined && bound < enough) enough = bound;
  }
  const first = run(enough);
  requireFunded(state, message, first);
  failUnlessSuccess(state, { ...message, isFree: true }, first, enough);
  return leastGas(first.gasUsed - 1n, enough, first.gasNeeded, (least) => run(least).status === 'success');
}

/**
 * Returns the gas that the sender of a message can buy with what its value and its blobs leave; undefined for a message
 * without a fee.
 * @throws RefusedError with geth's messages if they leave nothing
 */
function affordableGas({ engine }: WorkingState, message: CallMessage): bigint | undefined {
  const { from = ZERO_ADDRESS, value = 0n, fees, blobHashes } = message;
  if (fees === undefined || fees.feeCap === 0n) return undefined;
  const left = engine.balanceOf(from) - value;
  if (left <= 0n) refuse({ code: 'executionHalted', halt: describeHalt('insufficientBalance') });
  const afterBlobs = left - blobCost(blobHashes, fees.blobFeeCap);
  if (afterBlobs <= 0n)
    refuse({ code: 'executionHalted', halt: 'insufficient funds for gas * price + value' });
  return afterBlobs / fees.feeCap;
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
  let low = tooLittle;
  let high = enough;
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
