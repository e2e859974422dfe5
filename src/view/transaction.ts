import type { IncludedOperation, PendingOperation } from '../ledger/index.ts';
import {
  type Address,
  accountAddress,
  blockHashOf,
  contractAddress,
  feePayer,
  invariant,
  type Operation,
} from '../protocol/index.ts';
import { data, type Hexadecimal, quantity } from './formatting.ts';
import type { TransactionObject } from './objects.ts';

/** One native unit a unit of gas, always (specification, 8.1). */
const GAS_PRICE = quantity(1);
const ZERO = quantity(0);

/**
 * Maps one native operation, in a block or pending, to a transaction object (specification 2.3).
 * The place in the chain is null while the operation is pending.
 */
export function toTransaction(found: IncludedOperation | PendingOperation): TransactionObject {
  const { operation, to } = found;
  const included = found.kind === 'included' ? found : undefined;
  return {
    blockHash: included === undefined ? null : data(blockHashOf(included.block.id)),
    blockNumber: included === undefined ? null : quantity(included.block.number),
    from: data(senderOf(operation)),
    gas: quantity(operation.fee.amount),
    gasPrice: GAS_PRICE,
    hash: data(found.hash),
    input: inputOf(operation),
    nonce: ZERO,
    to: to === undefined ? null : data(to),
    transactionIndex: included === undefined ? null : quantity(included.index),
    value: quantity(amountOf(operation)),
    v: ZERO,
    r: ZERO,
    s: ZERO,
  };
}

/** Finds who is shown as the sender: the fee payer, and for a virtual operation the contract that caused it. */
export function senderOf(operation: Operation): Address {
  switch (operation.type) {
    case 'contractInternalCreate':
      return contractAddress(operation.caller);
    case 'contractSelfdestruct':
      return contractAddress(operation.contract);
    default: {
      const payer = feePayer(operation);
      invariant(payer !== undefined, 'an operation that is not virtual has a fee payer');
      return accountAddress(payer);
    }
  }
}

/** The units of the core asset that the operation moves to its receiver. */
function amountOf(operation: Operation): bigint {
  switch (operation.type) {
    case 'transfer':
      return operation.amount.amount;
    case 'contractCreate':
    case 'contractCall':
    case 'contractInternalCreate':
      return operation.value.amount;
    default:
      return 0n;
  }
}

/** The operation's code: creation code or call data, which the native format holds as hexadecimal digits. */
function inputOf(operation: Operation): Hexadecimal {
  switch (operation.type) {
    case 'contractCreate':
    case 'contractCall':
      return `0x${operation.code.toLowerCase()}`;
    default:
      return '0x';
  }
}
