import type { IncludedOperation, PendingOperation } from '../../ledger/index.ts';
import {
  type AccessList,
  blockHashOf,
  codeDigits,
  type EthereumTransaction,
  type EthereumTransactionFields,
  gasLimit,
  type Hexadecimal,
  isEthereumTransaction,
  movedWei,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../../protocol/index.ts';
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

/** Maps an operation to a transaction object of Ethereum; a native one to type 0 with a zero signature. */
export function toEthereumTransaction(
  found: IncludedOperation | PendingOperation,
  terms: NativeTerms,
): EthereumTransactionObject {
  const { operation } = found;
  const place = placeOf(found);
  if (!isEthereumTransaction(operation)) return { ...place, ...nativeObject(found, terms) } as Placed;
  const transaction = operation.innerTransaction;
  const price = found.kind === 'included' ? terms.weiPerUnit : undefined;
  return {
    ...place,
    hash: toPrefixedHex(transaction.hash),
    from: toPrefixedHex(operation.sender),
    ...toFilledTransaction(transaction, price),
    ...signatureOf(transaction),
  } as Placed;
}

/** All position fields are set or all are null, which the type of the spread does not show. */
type Placed = EthereumTransactionObject;

/** Returns the position of an operation in the chain; all null while it is pending. */
export function placeOf(found: IncludedOperation | PendingOperation) {
  if (found.kind === 'pending') return NOWHERE;
  const { block, index } = found;
  return {
    blockHash: toPrefixedHex(blockHashOf(block.id)),
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
    hash: toPrefixedHex(hash),
    from: toPrefixedHex(senderAddress(operation)),
    type: '0x0',
    nonce: quantity(nonce()),
    gas: quantity(gasLimit(operation)),
    to: to === undefined ? null : toPrefixedHex(to),
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

/** Maps an unsigned transaction. @param price of a unit of gas, in wei; absent: the most that it may cost */
export function toFilledTransaction(
  transaction: EthereumTransactionFields,
  price?: bigint,
): FilledTransactionObject {
  const { to, nonce, gas, value } = transaction;
  const message = {
    nonce: quantity(nonce),
    gas: quantity(gas),
    to: to === undefined ? null : toPrefixedHex(to),
    value: quantity(value),
    input: toPrefixedHex(transaction.data),
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
    address: toPrefixedHex(address),
    storageKeys: storageKeys.map(toPrefixedHex),
  }));
}
