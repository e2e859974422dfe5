import type { IncludedOperation, PendingOperation } from '../ledger/index.ts';
import {
  blockHashOf,
  codeDigits,
  gasLimit,
  isEthereumTransaction,
  movedAmount,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../protocol/index.ts';
import type { TransactionObject } from './objects.ts';

/** Price of gas in native units, always 1 (docs/interface.md#transaction-object). */
export const GAS_PRICE = quantity(1);
const ZERO = quantity(0);

const PENDING_POSITION = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };

/** Returns the position of an operation in the chain; all fields of a pending one are null. */
export function positionOf(found: IncludedOperation | PendingOperation) {
  if (found.kind === 'pending') return PENDING_POSITION;
  const { block, index } = found;
  return {
    blockHash: toPrefixedHex(blockHashOf(block.id)),
    blockNumber: quantity(block.number),
    blockTimestamp: quantity(block.header.timestamp),
    transactionIndex: quantity(index),
  };
}

/** Maps an operation to the fields of a legacy transaction that both profiles show alike. */
export function legacyFields({ operation, hash, to }: IncludedOperation | PendingOperation) {
  return {
    hash: toPrefixedHex(hash),
    from: toPrefixedHex(senderAddress(operation)),
    type: '0x0' as const,
    gas: quantity(gasLimit(operation)),
    to: to === undefined ? null : toPrefixedHex(to),
    input: `0x${codeDigits(operation).toLowerCase()}` as const,
    v: ZERO,
    r: ZERO,
    s: ZERO,
  };
}

/**
 * Maps an operation, in a block or pending, to a transaction object (docs/interface.md#transaction-object). The gas of
 * an included Ethereum transaction is the units that it was charged.
 */
export function toTransaction(found: IncludedOperation | PendingOperation): TransactionObject {
  const isCharged = found.kind === 'included' && isEthereumTransaction(found.operation);
  return {
    ...positionOf(found),
    ...legacyFields(found),
    ...(isCharged && { gas: quantity(found.feesCollected) }),
    nonce: ZERO,
    gasPrice: GAS_PRICE,
    value: quantity(movedAmount(found.operation)?.amount.amount ?? 0n),
  };
}
