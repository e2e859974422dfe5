import type { IncludedOperation, PendingOperation } from '../ledger/index.ts';
import {
  blockHashOf,
  codeDigits,
  gasLimit,
  movedAmount,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../protocol/index.ts';
import type { TransactionObject } from './objects.ts';

/** Price of gas in native units, always 1 (docs/interface.md#transaction-object). */
export const GAS_PRICE = quantity(1);
/** Type of every operation for clients: a legacy transaction. */
export const TRANSACTION_TYPE = quantity(0);
const ZERO = quantity(0);

/** Maps an operation, in a block or pending, to a transaction object (docs/interface.md#transaction-object). */
export function toTransaction(found: IncludedOperation | PendingOperation): TransactionObject {
  const { operation, to } = found;
  const included = found.kind === 'included' ? found : undefined;
  return {
    blockHash: included === undefined ? null : toPrefixedHex(blockHashOf(included.block.id)),
    blockNumber: included === undefined ? null : quantity(included.block.number),
    blockTimestamp: included === undefined ? null : quantity(included.block.header.timestamp),
    type: TRANSACTION_TYPE,
    from: toPrefixedHex(senderAddress(operation)),
    gas: quantity(gasLimit(operation)),
    gasPrice: GAS_PRICE,
    hash: toPrefixedHex(found.hash),
    input: `0x${codeDigits(operation).toLowerCase()}`,
    nonce: ZERO,
    to: to === undefined ? null : toPrefixedHex(to),
    transactionIndex: included === undefined ? null : quantity(included.index),
    value: quantity(movedAmount(operation)?.amount.amount ?? 0n),
    v: ZERO,
    r: ZERO,
    s: ZERO,
  };
}
