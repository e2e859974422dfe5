import { TEST_TRANSACTION_GAS_MAX } from '../../consensus.ts';
import { isSince, type MessageGas, messageGas, operationGasMax } from '../../evm/index.ts';
import {
  type Address,
  blobGasOf,
  createAddress,
  delegationOf,
  type EthereumTransaction,
  invariant,
  isImpersonatedSignature,
} from '../../protocol/index.ts';
import { BLOB_REPLACEMENT_PERCENT } from '../errors/ethereum-refusal.ts';
import { refuse } from '../errors/refusal.ts';
import type { StateRules } from '../state/state-rules.ts';
import type { WorkingState } from '../state/working-state.ts';
import { executeMessage, requireInitCode } from './contract.ts';
import type { OperationOf, OperationRules, Outcome } from './operation-rules.ts';

/** Per cent by which the fees of a replacement transaction must be higher. */
const REPLACEMENT_PERCENT = 10n;

/** Gas of the smallest transaction (yellow paper, section 6.2). */
export const TRANSACTION_GAS = 21_000n;

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

/** Returns the most that a transaction pays for a unit of gas, in wei. */
export function feeCapOf(transaction: EthereumTransaction): bigint {
  return gasFeesOf(transaction).feeCap;
}

/** Checks that the fork has the type of a transaction. Throws `RefusedError`. */
function checkType({ rules }: WorkingState, { type }: EthereumTransaction): void {
  if (type === 'setCode' && !isSince(rules.hardfork, 'prague')) refuse({ code: 'noSetCode' });
}

/** Returns the most that a transaction pays for a unit of blob gas, in wei; undefined without blobs. */
export function blobFeeCapOf(transaction: EthereumTransaction): bigint | undefined {
  return transaction.type === 'blob' ? transaction.maxFeePerBlobGas : undefined;
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
  if (account?.codeHash !== undefined && !mayHaveCode(state, sender, transaction)) {
    refuse({ code: 'senderHasCode', sender });
  }
  checkFees(sender, transaction);
  checkBaseFee(state, sender, transaction);
  checkFunds(state, sender, transaction);
}

/** Returns true if the code of a sender does not exclude that it signs (EIP-3607): a delegation (EIP-7702). */
function mayHaveCode(state: WorkingState, sender: Address, transaction: EthereumTransaction): boolean {
  return delegationOf(state.codeAt(sender)) !== undefined || isImpersonatedSignature(transaction, sender);
}

function checkFunds(state: WorkingState, sender: Address, transaction: EthereumTransaction): void {
  const blobFee = blobGasOf(transaction) * (blobFeeCapOf(transaction) ?? 0n);
  const want = transaction.gas * gasFeesOf(transaction).feeCap + transaction.value + blobFee;
  const have = state.engine.balanceOf(sender);
  if (have < want) refuse({ code: 'insufficientWei', sender, have, want });
}

function checkFees(sender: Address, transaction: EthereumTransaction): void {
  const { feeCap, tip } = gasFeesOf(transaction);
  if (tip > feeCap) refuse({ code: 'tipAboveFeeCap', sender, tip, feeCap });
}

function checkBaseFee(state: WorkingState, sender: Address, transaction: EthereumTransaction): void {
  const { feeCap } = gasFeesOf(transaction);
  const { baseFee, blobBaseFee } = state.block;
  if (feeCap < baseFee) refuse({ code: 'feeCapTooLow', sender, feeCap, baseFee });
  const blobFeeCap = blobFeeCapOf(transaction) ?? blobBaseFee;
  if (blobFeeCap < blobBaseFee) {
    refuse({ code: 'blobFeeCapTooLow', sender, feeCap: blobFeeCap, baseFee: blobBaseFee });
  }
}

/** Returns the price that a transaction pays for a unit of gas, in wei: base fee and tip up to its fee cap (EIP-1559). */
export function chargedPrice(transaction: EthereumTransaction, baseFee: bigint): bigint {
  return baseFee + offeredTip(transaction, baseFee);
}

/** Returns the tip that a transaction offers for a unit of gas at a base fee; negative below it. */
export function offeredTip(transaction: EthereumTransaction, baseFee: bigint): bigint {
  const { feeCap, tip } = gasFeesOf(transaction);
  return feeCap - baseFee < tip ? feeCap - baseFee : tip;
}

/**
 * Checks a transaction that is queued behind a nonce gap or below the base fee.
 * @throws RefusedError
 */
export function checkAffordable(state: WorkingState, operation: OperationOf<'ethereumTransaction'>): void {
  const { sender } = operation;
  const transaction = operation.innerTransaction;
  checkType(state, transaction);
  checkFees(sender, transaction);
  // No block has a base fee of 0.
  if (blobFeeCapOf(transaction) === 0n) refuse({ code: 'blobFeeCapTooLow', sender, feeCap: 0n, baseFee: 1n });
  checkFunds(state, sender, transaction);
  checkGas(state, transaction);
}

/** Checks the fees of a replacement with the same sender and nonce, with geth's rounding. Throws `RefusedError`. */
export function requireHigherFees(
  old: OperationOf<'ethereumTransaction'>,
  replacement: OperationOf<'ethereumTransaction'>,
): void {
  const feesOf = ({ innerTransaction }: OperationOf<'ethereumTransaction'>) => ({
    ...gasFeesOf(innerTransaction),
    blob: blobFeeCapOf(innerTransaction),
  });
  const before = feesOf(old);
  const after = feesOf(replacement);
  const percent =
    before.blob === undefined && after.blob === undefined ? REPLACEMENT_PERCENT : BLOB_REPLACEMENT_PERCENT;
  const isHigher = (one: bigint, other: bigint): boolean =>
    other > one && other >= (one * (100n + percent)) / 100n;
  const areHigher = isHigher(before.feeCap, after.feeCap) && isHigher(before.tip, after.tip);
  const isBlobFeeHigher =
    before.blob === undefined || after.blob === undefined || isHigher(before.blob, after.blob);
  if (!areHigher || !isBlobFeeHigher) refuse({ code: 'replacementUnderpriced', percent });
}

/**
 * Returns the most gas of a transaction, whatever the gas limit of its block. Before Osaka, which caps it (EIP-7825),
 * the block alone limits it on test chains.
 */
export function transactionGasMax({
  hardfork,
  headersStateSettings,
}: Pick<StateRules, 'hardfork' | 'headersStateSettings'>): bigint {
  return headersStateSettings && !isSince(hardfork, 'osaka')
    ? TEST_TRANSACTION_GAS_MAX
    : operationGasMax(hardfork);
}

/**
 * Checks that the gas covers the intrinsic cost, and exceeds no limit of an operation or a block; or refuses. Returns
 * the gas of the message.
 */
export function checkGas(state: WorkingState, transaction: EthereumTransaction): MessageGas {
  const { hardfork } = state.rules;
  const blockGasLimit = state.block.gasLimit;
  const { gas, data, to } = transaction;
  const creates = to === undefined;
  const most = transactionGasMax(state.rules);
  if (gas > most) refuse({ code: 'gasCapExceeded', gas, most });
  if (gas > blockGasLimit) refuse({ code: 'blockGasExceeded', gas, most: blockGasLimit });
  if (creates) requireInitCode(state.rules, data);
  const accessList = accessListOf(transaction);
  const authorizationList = authorizationListOf(transaction);
  const bounds = messageGas(hardfork, { data, creates, accessList, authorizationList });
  const { intrinsic, floor } = bounds;
  if (gas < intrinsic) refuse({ code: 'intrinsicGas', have: gas, want: intrinsic });
  if (gas < floor) refuse({ code: 'floorDataGas', have: gas, want: floor });
  return bounds;
}

const accessListOf = (transaction: EthereumTransaction) =>
  transaction.type === 'legacy' ? undefined : transaction.accessList;

const authorizationListOf = (transaction: EthereumTransaction) =>
  transaction.type === 'setCode' ? transaction.authorizationList : undefined;

/** Executes the inner transaction of an operation. The sender's nonce rises whatever the outcome. */
function applyEthereumTransaction(
  state: WorkingState,
  operation: OperationOf<'ethereumTransaction'>,
): Outcome {
  const { sender } = operation;
  const transaction = operation.innerTransaction;
  const { nonce, to, value, data, gas } = transaction;
  checkType(state, transaction);
  checkState(state, sender, transaction);
  const gasBounds = checkGas(state, transaction);
  state.engine.setNonce(sender, nonce + 1n);
  const gasPrice = chargedPrice(transaction, state.block.baseFee);
  const blobFee = blobGasOf(transaction) * state.block.blobBaseFee;
  const canPayBlobs = state.engine.debit(sender, blobFee);
  invariant(canPayBlobs, 'the funds for the blobs were checked');
  const message = {
    caller: sender,
    to,
    value,
    data,
    gas,
    gasPrice,
    accessList: accessListOf(transaction),
    authorizationList: authorizationListOf(transaction),
    blobHashes: transaction.type === 'blob' ? transaction.blobVersionedHashes : undefined,
    newAddress: to === undefined ? createAddress(sender, nonce) : undefined,
    payForGas: true,
    gasBounds,
  };
  const { weiPerUnit } = state.rules;
  return executeMessage(state, message, (gasUsed) => {
    const feeWei = gasUsed * gasPrice + blobFee;
    return { charge: (feeWei + weiPerUnit - 1n) / weiPerUnit, feeWei };
  });
}

/** The rules of Ethereum transactions. `checkNativeForm` checks the form of their native transaction. */
export const ethereumTransactionRules: OperationRules<OperationOf<'ethereumTransaction'>> = {
  leastFee: TRANSACTION_GAS,
  apply: applyEthereumTransaction,
};
