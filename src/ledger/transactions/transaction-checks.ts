import {
  EXPIRATION_SECONDS_MAX,
  OPERATION_GAS_MAX,
  TRANSACTION_BYTES_MAX,
  TRANSACTION_GAS_MAX,
  TRANSACTION_OPERATIONS_MAX,
  TRANSACTION_SIGNATURES_MAX,
} from '../../consensus.ts';
import type { AccountId, AssetAmount, BlockId, Operation, SignedTransaction } from '../../protocol/index.ts';
import {
  CORE_ASSET,
  equalBytes,
  feePayer,
  gasLimit,
  isEthereumTransaction,
  isMetered,
  isTestOperation,
  isVirtual,
  movedAmount,
  operationHashes,
  signedBytes,
  transactionId,
} from '../../protocol/index.ts';
import type { Chain } from '../chain/chain.ts';
import { refuse } from '../errors/refusal.ts';
import { ACCOUNT_CREATE_FEE } from '../operations/operation-rules.ts';
import { checkOperationRules } from '../operations/rules.ts';
import {
  type ChainOperations,
  checkNativeForm,
  type EthereumRules,
  ethereumOperationIn,
  isImpersonated,
  type NativeFormRules,
} from './native-transaction.ts';

/** Reads bytes 4 to 7 of a block id, which a transaction quotes as `ref_block_prefix`. */
export function referencePrefix(id: BlockId): number {
  return new DataView(id.buffer, id.byteOffset).getUint32(4, true);
}

/**
 * Checks everything that needs only the transaction: size, operations, assets, fees. Throws `RefusedError`.
 * @param chain the operations that only some chains allow
 */
export function checkForm(transaction: SignedTransaction, chain: NativeFormRules): void {
  const { operations, signatures } = transaction;
  if (operations.length === 0) refuse({ code: 'noOperations' });
  if (operations.length > TRANSACTION_OPERATIONS_MAX) {
    refuse({ code: 'tooManyOperations', count: operations.length, most: TRANSACTION_OPERATIONS_MAX });
  }
  if (signatures.length > TRANSACTION_SIGNATURES_MAX) {
    refuse({ code: 'tooManySignatures', count: signatures.length, most: TRANSACTION_SIGNATURES_MAX });
  }
  if (transaction.signedWithEchorandKey) refuse({ code: 'consensusKeySignature' });
  const bytes = signedBytes(transaction).length;
  if (bytes > TRANSACTION_BYTES_MAX)
    refuse({ code: 'transactionTooLarge', bytes, most: TRANSACTION_BYTES_MAX });
  operations.forEach((operation, index) => {
    checkOperationForm(operation, index, chain);
  });
  const isEthereum = operations.some(isEthereumTransaction);
  if (isEthereum) checkNativeForm(transaction, chain);
  if (operations.length > 1) checkGasTogether(transaction);
  if (chain.ethereum !== undefined && !isEthereum) checkGasOfBlock(transaction, chain.ethereum);
}

/** Returns the gas that the operations of a transaction on contracts may use together. */
export function gasOffered({ operations }: Pick<SignedTransaction, 'operations'>): bigint {
  let gas = 0n;
  for (const operation of operations) if (isMetered(operation)) gas += gasLimit(operation);
  return gas;
}

/** Returns the greatest gas that the operations of a transaction can take together, those without a limit included. */
export function gasAtMost(transaction: Pick<SignedTransaction, 'operations'>): bigint {
  const others = transaction.operations.filter((operation) => !isMetered(operation));
  return gasOffered(transaction) + BigInt(others.length) * ACCOUNT_CREATE_FEE;
}

/** Rejects a transaction that fits in no block of the chain, and would be pending forever. */
function checkGasOfBlock(transaction: SignedTransaction, { blockGasLimit }: EthereumRules): void {
  const gas = gasAtMost(transaction);
  if (gas <= blockGasLimit) return;
  // An operation beyond the limit of one operation has another error, as on every chain.
  if (transaction.operations.some((one) => isMetered(one) && gasLimit(one) > OPERATION_GAS_MAX)) return;
  refuse({ code: 'transactionGasTooHigh', gas, most: blockGasLimit });
}

/**
 * Bounds the gas of all operations: the engine bounds only each of them, of which a transaction may have a thousand.
 */
function checkGasTogether(transaction: SignedTransaction): void {
  const gas = gasOffered(transaction);
  if (gas > TRANSACTION_GAS_MAX) refuse({ code: 'transactionGasTooHigh', gas, most: TRANSACTION_GAS_MAX });
}

/**
 * Throws `RefusedError` for a transaction with an unsigned operation: only the node itself makes these, and accepts
 * none from clients.
 */
export function refuseTestOperations({ operations }: SignedTransaction): void {
  const index = operations.findIndex((one) => isTestOperation(one) || isImpersonated(one));
  if (index >= 0) refuse({ code: 'testOperationSubmitted', index });
}

function checkOperationForm(operation: Operation, index: number, chain: ChainOperations): void {
  if (isVirtual(operation)) refuse({ code: 'virtualOperation', index, type: operation.type });
  if (isTestOperation(operation) && !chain.isTestChain) refuse({ code: 'testOperation', index });
  if (needsEthereum(operation) && chain.ethereum === undefined) refuse({ code: 'noEthereum' });
  // The inner transaction is checked with its native transaction.
  if (isEthereumTransaction(operation)) return;
  const path = `operations[${index}]`;
  if ('fee' in operation) checkAsset(operation.fee, `${path}.fee`);
  const moved = movedAmount(operation);
  if (moved !== undefined) checkAsset(moved.amount, `${path}.${moved.field}`);
  checkOperationRules(operation, path);
}

/** Returns true for an operation that exists only on chains with Ethereum. */
function needsEthereum({ type }: Operation): boolean {
  return type === 'transferToAddress' || type === 'testWeiCall';
}

function checkAsset(amount: AssetAmount, field: string): void {
  if (amount.assetId !== CORE_ASSET) refuse({ code: 'unknownAsset', field });
}

/**
 * Checks expiration and reference block of a transaction, and that it is not included already. Throws `RefusedError`.
 */
export function checkReference(transaction: SignedTransaction, chain: Chain): void {
  // Its nonce decides when it is valid, and that it is not included.
  if (ethereumOperationIn(transaction) !== undefined) return;
  const head = chain.head();
  const { expiration, refBlockNum, refBlockPrefix } = transaction;
  const headTime = head.header.timestamp;
  if (expiration <= headTime) refuse({ code: 'expired', expiration, headTime });
  const latest = headTime + EXPIRATION_SECONDS_MAX;
  if (expiration > latest) refuse({ code: 'expirationTooFar', expiration, latest });

  const reference = chain.blockByNumber(head.number - ((head.number - refBlockNum) & 0xffff));
  if (reference === undefined || referencePrefix(reference.id) !== refBlockPrefix) {
    refuse({ code: 'referenceBlockUnknown', refBlockNum });
  }
  const block = includedIn(transaction, chain);
  if (block !== undefined) refuse({ code: 'alreadyIncluded', block });
}

/** Returns the number of the block that contains exactly this transaction. */
function includedIn(transaction: SignedTransaction, chain: Chain): number | undefined {
  const [hash] = operationHashes(transaction);
  if (hash === undefined) return undefined;
  const positions = chain.positionsOf(hash);
  if (positions.length === 0) return undefined;
  const id = transactionId(transaction);
  return positions.find(({ block, index }) => {
    const included = chain.transactionAt(block, index);
    return included !== undefined && equalBytes(transactionId(included.transaction), id);
  })?.block;
}

/** Returns the accounts whose active authority a transaction needs. */
export function requiredAccounts(transaction: SignedTransaction): Set<AccountId> {
  const required = new Set<AccountId>();
  for (const operation of transaction.operations) {
    const payer = feePayer(operation);
    if (payer !== undefined) required.add(payer);
  }
  return required;
}
