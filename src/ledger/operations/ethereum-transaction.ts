import { INIT_CODE_BYTES_MAX } from '../../consensus.ts';
import { messageGas, operationGasMax } from '../../evm/index.ts';
import { REPLACEMENT_PERCENT } from '../../limits.ts';
import {
  type Address,
  createAddress,
  type EthereumTransaction,
  isImpersonatedSignature,
} from '../../protocol/index.ts';
import { refuse } from '../errors/refusal.ts';
import type { WorkingState } from '../state/working-state.ts';
import { executeMessage, initCodeIsLimited } from './contract.ts';
import type { OperationOf, OperationRules, Outcome } from './operation-rules.ts';

/** Gas of the smallest transaction (yellow paper, section 6.2). */
const TRANSACTION_GAS = 21_000n;

/** The fees that an Ethereum transaction offers for a unit of gas, in wei. */
export interface GasFees {
  readonly feeCap: bigint;
  readonly tip: bigint;
}

/** Returns the two fees of a transaction; a single gas price is both (EIP-1559). */
function gasFeesOf(transaction: EthereumTransaction): GasFees {
  if ('maxFeePerGas' in transaction) {
    return { feeCap: transaction.maxFeePerGas, tip: transaction.maxPriorityFeePerGas };
  }
  return { feeCap: transaction.gasPrice, tip: transaction.gasPrice };
}

/**
 * Checks an Ethereum transaction against the state, with geth's messages and in its order.
 * @throws RefusedError, with the code `nonceTooHigh` if lower nonces are missing
 */
function checkState(state: WorkingState, sender: Address, transaction: EthereumTransaction): void {
  const { nonce } = transaction;
  const account = state.engine.accountState(sender);
  const expected = account?.nonce ?? 0n;
  if (nonce < expected) refuse({ code: 'nonceTooLow', sender, nonce, expected });
  if (nonce > expected) refuse({ code: 'nonceTooHigh', sender, nonce, expected });
  const mayHaveCode = isImpersonatedSignature(transaction, sender);
  if (account?.codeHash !== undefined && !mayHaveCode) refuse({ code: 'senderHasCode', sender });
  checkFees(state, sender, transaction);
  checkFunds(state, sender, transaction);
}

function checkFunds(state: WorkingState, sender: Address, transaction: EthereumTransaction): void {
  const want = transaction.gas * gasFeesOf(transaction).feeCap + transaction.value;
  const have = state.engine.balanceOf(sender);
  if (have < want) refuse({ code: 'insufficientWei', sender, have, want });
}

function checkFees(state: WorkingState, sender: Address, transaction: EthereumTransaction): void {
  const { feeCap, tip } = gasFeesOf(transaction);
  const { baseFee } = state.rules;
  if (tip > feeCap) refuse({ code: 'tipAboveFeeCap', sender, tip, feeCap });
  if (feeCap < baseFee) refuse({ code: 'feeCapTooLow', sender, feeCap, baseFee });
}

/**
 * Checks a transaction that is queued behind a nonce gap.
 * @throws RefusedError
 */
export function checkAffordable(state: WorkingState, operation: OperationOf<'ethereumTransaction'>): void {
  const { sender } = operation;
  const transaction = operation.innerTransaction;
  checkFees(state, sender, transaction);
  checkFunds(state, sender, transaction);
  checkGas(state, transaction);
}

/** Checks the fees of a replacement with the same sender and nonce. Throws `RefusedError`. */
export function requireHigherFees(
  old: OperationOf<'ethereumTransaction'>,
  replacement: OperationOf<'ethereumTransaction'>,
): void {
  const [before, after] = [gasFeesOf(old.innerTransaction), gasFeesOf(replacement.innerTransaction)];
  const isHigher = (fee: 'feeCap' | 'tip') => after[fee] * 100n >= before[fee] * (100n + REPLACEMENT_PERCENT);
  if (!isHigher('feeCap') || !isHigher('tip')) refuse({ code: 'replacementUnderpriced' });
}

/** Checks that the gas covers the intrinsic cost, and exceeds no limit of an operation or a block. */
function checkGas(state: WorkingState, transaction: EthereumTransaction): void {
  const { hardfork, blockGasLimit } = state.rules;
  const { gas, data, to } = transaction;
  const creates = to === undefined;
  const most = operationGasMax(hardfork);
  if (gas > most) refuse({ code: 'gasCapExceeded', gas, most });
  if (gas > blockGasLimit) refuse({ code: 'blockGasExceeded', gas, most: blockGasLimit });
  if (creates && initCodeIsLimited(hardfork) && data.length > INIT_CODE_BYTES_MAX) {
    refuse({ code: 'initCodeTooLarge', bytes: data.length, most: INIT_CODE_BYTES_MAX });
  }
  const { intrinsic, floor } = messageGas(hardfork, { data, creates, accessList: accessListOf(transaction) });
  if (gas < intrinsic) refuse({ code: 'intrinsicGas', have: gas, want: intrinsic });
  if (gas < floor) refuse({ code: 'floorDataGas', have: gas, want: floor });
}

const accessListOf = (transaction: EthereumTransaction) =>
  transaction.type === 'legacy' ? undefined : transaction.accessList;

/**
 * Executes the inner transaction of an operation. Only the base fee is charged; the rest of the offer stays with the
 * sender. The sender's nonce rises whatever the outcome.
 */
function applyEthereumTransaction(
  state: WorkingState,
  operation: OperationOf<'ethereumTransaction'>,
): Outcome {
  const { sender } = operation;
  const transaction = operation.innerTransaction;
  const { nonce, to, value, data, gas } = transaction;
  checkState(state, sender, transaction);
  checkGas(state, transaction);
  state.engine.setNonce(sender, nonce + 1n);
  return executeMessage(state, {
    ...{ caller: sender, to, value, data, gas },
    gasPrice: state.rules.baseFee,
    accessList: accessListOf(transaction),
    newAddress: to === undefined ? createAddress(sender, nonce) : undefined,
    payForGas: true,
  });
}

/** The rules of Ethereum transactions. `checkEnvelope` checks the form of their envelope. */
export const ethereumTransactionRules: OperationRules<OperationOf<'ethereumTransaction'>> = {
  leastFee: TRANSACTION_GAS,
  apply: applyEthereumTransaction,
};
