import type {
  Address,
  ContractId,
  Hash,
  Operation,
  OperationResult,
  SignedTransaction,
} from '../../protocol/index.ts';
import {
  equalBytes,
  invariant,
  isEthereumTransaction,
  operationHash,
  pendingTransactionHash,
  processedTransactionHash,
  receiverAddress,
  splitTransactionHash,
} from '../../protocol/index.ts';
import type { Chain, PlacedOperation } from '../chain/chain.ts';
import type { BlockSummary } from '../chain/records.ts';
import type { PendingLookup, PendingPosition } from '../core.ts';
import { type SenderNonce, senderNonceHash, shortened } from '../transactions/native-transaction.ts';

/** The fields around an operation that its hash covers. */
export interface NativeTransactionFields {
  readonly refBlockNum: number;
  readonly refBlockPrefix: number;
  readonly expiration: number;
}

/**
 * An operation of a block, as in the interface: one operation is one transaction
 * (docs/interface.md#transaction-object).
 */
export interface IncludedOperation {
  readonly kind: 'included';
  readonly block: BlockSummary;
  /** Index of the operation in the block. */
  readonly index: number;
  readonly operation: Operation;
  readonly result: OperationResult;
  /** Units that its transaction was charged; for an Ethereum transaction rounded up. */
  readonly feesCollected: bigint;
  readonly transaction: NativeTransactionFields;
  /** The processed form: docs/interface.md#transaction-hash. */
  readonly hash: Hash;
  /** The receiver's address; undefined for none. */
  readonly to: Address | undefined;
}

export interface PendingOperation {
  readonly kind: 'pending';
  readonly operation: Operation;
  readonly transaction: NativeTransactionFields;
  /** The pending form: docs/interface.md#transaction-hash. */
  readonly hash: Hash;
  readonly to: Address | undefined;
}

/** Finds the address of a contract by its identifier. */
export type ContractAddressLookup = (id: ContractId) => Address | undefined;

/** Returns an operation of a block in the form of the interface. */
export function includedOperation(
  block: BlockSummary,
  placed: PlacedOperation,
  contractAddressOf: ContractAddressLookup,
): IncludedOperation {
  const { index, operation, result, transaction } = placed;
  const { refBlockNum, refBlockPrefix, expiration, feesCollected } = transaction;
  const hash = placed.hash ?? operationHash(operation, refBlockNum, refBlockPrefix, expiration);
  return {
    kind: 'included',
    block,
    index,
    operation,
    result,
    feesCollected,
    transaction,
    hash: processedTransactionHash(block.number, index, hash),
    to: receiverAddress(operation, {
      created: result.type === 'object' ? result.id : undefined,
      addressOf: contractAddressOf,
    }),
  };
}

/** Returns a pending operation in the form of the interface. */
function pendingOperation(
  { transaction, index }: PendingPosition,
  contractAddressOf: ContractAddressLookup,
): PendingOperation {
  const operation = transaction.operations[index];
  invariant(operation !== undefined, 'the position of a pending operation is one of its transaction');
  const { refBlockNum, refBlockPrefix, expiration } = transaction;
  return {
    kind: 'pending',
    operation,
    transaction,
    hash: pendingTransactionHash(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
    to: receiverAddress(operation, { created: undefined, addressOf: contractAddressOf }),
  };
}

/** Lists the operations of pending transactions, in order. */
export function pendingOperations(
  transactions: readonly SignedTransaction[],
  contractAddressOf: ContractAddressLookup,
): PendingOperation[] {
  return transactions.flatMap((transaction) =>
    transaction.operations.map((_, index) => pendingOperation({ transaction, index }, contractAddressOf)),
  );
}

/**
 * Finds an operation by its transaction hash: the processed form contains its position, the pending form
 * is found before and after the operation is included.
 */
export function findOperation(
  hash: Hash,
  chain: Chain,
  pool: PendingLookup,
  contractAddressOf: ContractAddressLookup,
): IncludedOperation | PendingOperation | undefined {
  const parts = splitTransactionHash(hash);
  if (parts === undefined) return undefined;
  if (parts.kind === 'processed') {
    const found = operationAt(parts.block, parts.index, chain, contractAddressOf);
    return found !== undefined && equalBytes(found.hash, hash) ? found : undefined;
  }
  const pending = pool.find(parts.operationHash);
  if (pending !== undefined) return pendingOperation(pending, contractAddressOf);
  const [position] = chain.positionsOf(parts.operationHash);
  return position === undefined
    ? undefined
    : operationAt(position.block, position.index, chain, contractAddressOf);
}

/** Finds an operation, included or pending, by the hash of its inner Ethereum transaction. */
export function findEthereumOperation(
  hash: Hash,
  chain: Chain,
  pool: PendingLookup,
  contractAddressOf: ContractAddressLookup,
): IncludedOperation | PendingOperation | undefined {
  const isEthereum = ({ operation }: IncludedOperation | PendingOperation): boolean =>
    isEthereumTransaction(operation) && equalBytes(operation.innerTransaction.hash, hash);
  const found = shortened(hash);
  const position = pool.find(found);
  const pending = position && pendingOperation(position, contractAddressOf);
  if (pending !== undefined && isEthereum(pending)) return pending;
  // A test may have set back a nonce, and sent the same transaction again.
  const last = chain.positionsOf(found, true).at(-1);
  const included = last && operationAt(last.block, last.index, chain, contractAddressOf);
  return included !== undefined && isEthereum(included) ? included : undefined;
}

/** Finds the included operation with the Ethereum transaction of a sender and nonce. */
export function operationOfSender(
  senderNonce: SenderNonce,
  chain: Chain,
  contractAddressOf: ContractAddressLookup,
): IncludedOperation | undefined {
  for (const { block, index } of chain.positionsOf(senderNonceHash(senderNonce))) {
    const found = operationAt(block, index, chain, contractAddressOf);
    if (found === undefined || !isEthereumTransaction(found.operation)) continue;
    const { sender, nonce } = senderNonce;
    const isThis =
      equalBytes(found.operation.sender, sender) && found.operation.innerTransaction.nonce === nonce;
    if (isThis) return found;
  }
  return undefined;
}

/** Returns the transaction of a found operation. */
export function findTransaction(
  found: IncludedOperation | PendingOperation | undefined,
  chain: Chain,
  pool: PendingLookup,
): SignedTransaction | undefined {
  if (found === undefined) return undefined;
  if (found.kind === 'included') return chain.transactionAt(found.block.number, found.index)?.transaction;
  const parts = splitTransactionHash(found.hash);
  return parts === undefined ? undefined : pool.find(parts.operationHash)?.transaction;
}

/** Returns the operation with an index in a block. */
export function operationAt(
  blockNumber: number,
  index: number,
  chain: Chain,
  contractAddressOf: ContractAddressLookup,
): IncludedOperation | undefined {
  const block = chain.blockByNumber(blockNumber);
  const placed = block === undefined ? undefined : chain.operationAt(blockNumber, index);
  if (block === undefined || placed === undefined) return undefined;
  return includedOperation(block, placed, contractAddressOf);
}
