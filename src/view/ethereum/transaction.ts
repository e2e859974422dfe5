import type { IncludedOperation, PendingOperation } from '../../ledger/index.ts';
import {
  type AccessList,
  blockHashOf,
  codeDigits,
  type EthereumTransaction,
  type EthereumTransactionFields,
  gasLimit,
  isEthereumTransaction,
  movedWei,
  senderAddress,
} from '../../protocol/index.ts';
import { data, type Hexadecimal, quantity } from '../formatting.ts';
import type {
  EthereumTransactionObject,
  FilledTransactionObject,
  SignedTransactionObject,
} from './objects.ts';

/** Facts of the chain in the object of a native operation. */
export interface NativeTerms {
  readonly weiPerUnit: bigint;
  /** Operations that its payer paid for before it. */
  readonly nonce: () => number | bigint;
}

const ZERO = quantity(0);

/** Position of a pending operation. */
const NOWHERE = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };

/**
 * Maps one operation, in a block or pending, to a transaction object of Ethereum's: what an Ethereum transaction says,
 * or a native operation as one of type 0 whose signature is zero.
 */
export function toEthereumTransaction(
  found: IncludedOperation | PendingOperation,
  terms: NativeTerms,
): EthereumTransactionObject {
  const { operation } = found;
  const place = found.kind === 'pending' ? NOWHERE : placeOf(found);
  if (!isEthereumTransaction(operation)) return { ...place, ...nativeObject(found, terms) } as Placed;
  const transaction = operation.innerTransaction;
  const price = found.kind === 'included' ? terms.weiPerUnit : undefined;
  return {
    ...place,
    hash: data(transaction.hash),
    from: data(operation.sender),
    ...toFilledTransaction(transaction, price),
    ...signatureOf(transaction),
  } as Placed;
}

/** All of its fields are either of a block or null, which the spread does not say. */
type Placed = EthereumTransactionObject;

function placeOf({ block, index }: IncludedOperation) {
  return {
    blockHash: data(blockHashOf(block.id)),
    blockNumber: quantity(block.number),
    blockTimestamp: quantity(block.header.timestamp),
    transactionIndex: quantity(index),
  };
}

function nativeObject(
  { operation, hash, to }: IncludedOperation | PendingOperation,
  { weiPerUnit, nonce }: NativeTerms,
) {
  return {
    hash: data(hash),
    from: data(senderAddress(operation)),
    type: '0x0',
    nonce: quantity(nonce()),
    gas: quantity(gasLimit(operation)),
    to: to === undefined ? null : data(to),
    value: quantity(movedWei(operation, weiPerUnit)),
    input: `0x${codeDigits(operation).toLowerCase()}`,
    gasPrice: quantity(weiPerUnit),
    v: ZERO,
    r: ZERO,
    s: ZERO,
  };
}

/** Maps a signed transaction that was not sent. */
export function toSignedTransaction(transaction: EthereumTransaction): SignedTransactionObject {
  // The signature has a parity where the type has one.
  return { ...toFilledTransaction(transaction), ...signatureOf(transaction) } as SignedTransactionObject;
}

/**
 * The object of what a transaction says, type by type, without signature.
 *
 * @param price what a unit of gas cost, in wei; absent: what it may cost at most
 */
export function toFilledTransaction(
  transaction: EthereumTransactionFields,
  price?: bigint,
): FilledTransactionObject {
  const { to, nonce, gas, value } = transaction;
  const message = {
    nonce: quantity(nonce),
    gas: quantity(gas),
    to: to === undefined ? null : data(to),
    value: quantity(value),
    input: data(transaction.data),
  };
  switch (transaction.type) {
    case 'legacy': {
      const { chainId, gasPrice } = transaction;
      const chain = chainId === undefined ? {} : { chainId: quantity(chainId) };
      return { type: '0x0', ...message, gasPrice: quantity(gasPrice), ...chain };
    }
    case 'accessList': {
      const { chainId, gasPrice, accessList } = transaction;
      const typed = { chainId: quantity(chainId), accessList: accessListObject(accessList) };
      return { type: '0x1', ...message, gasPrice: quantity(gasPrice), ...typed };
    }
    case 'dynamicFee': {
      const { chainId, maxFeePerGas, maxPriorityFeePerGas, accessList } = transaction;
      return {
        type: '0x2',
        ...message,
        gasPrice: quantity(price ?? maxFeePerGas),
        maxFeePerGas: quantity(maxFeePerGas),
        maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
        chainId: quantity(chainId),
        accessList: accessListObject(accessList),
      };
    }
  }
}

function signatureOf({ type, v, r, s, yParity }: EthereumTransaction) {
  const signature = { v: quantity(v), r: quantity(r), s: quantity(s) };
  return type === 'legacy' ? signature : { yParity: quantity(yParity), ...signature };
}

function accessListObject(
  accessList: AccessList,
): { readonly address: Hexadecimal; readonly storageKeys: readonly Hexadecimal[] }[] {
  return accessList.map(({ address, storageKeys }) => ({
    address: data(address),
    storageKeys: storageKeys.map(data),
  }));
}
