import type { IncludedOperation, PendingOperation } from '../../ledger/index.ts';
import {
  type AccessList,
  type AuthorizationList,
  type EthereumTransaction,
  type EthereumTransactionFields,
  isEthereumTransaction,
  movedWei,
  quantity,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { ValueOf } from '../shapes.ts';
import { legacyFields, positionOf } from '../transaction.ts';
import type {
  AuthorizationObjects,
  accessListShape,
  EthereumTransactionObject,
  FilledTransactionObject,
  SignedTransactionObject,
} from './objects.ts';

/** Values that a transaction object takes from the chain. */
export interface TransactionTerms {
  readonly weiPerUnit: bigint;
  /** Wei paid for a unit of gas by an included Ethereum transaction; undefined for a pending one. */
  readonly price: bigint | undefined;
  /** Returns the number of earlier operations of its payer. */
  readonly nonce: () => number | bigint;
}

/** Maps an operation to a transaction object of Ethereum; a native one to type 0 with a zero signature. */
export function toEthereumTransaction(
  found: IncludedOperation | PendingOperation,
  { weiPerUnit, price, nonce }: TransactionTerms,
): EthereumTransactionObject {
  const { operation } = found;
  const position = positionOf(found);
  // The type of a spread does not show that all position fields are null or none.
  if (!isEthereumTransaction(operation)) {
    return {
      ...position,
      ...legacyFields(found),
      nonce: quantity(nonce()),
      value: quantity(movedWei(operation, weiPerUnit)),
      gasPrice: quantity(weiPerUnit),
    } as EthereumTransactionObject;
  }
  const transaction = operation.innerTransaction;
  return {
    ...position,
    hash: toPrefixedHex(transaction.hash),
    from: toPrefixedHex(operation.sender),
    ...toFilledTransaction(transaction, price),
    ...signatureOf(transaction),
  } as EthereumTransactionObject;
}

/** Maps a signed transaction without a position in the chain. */
export function toSignedTransaction(transaction: EthereumTransaction): SignedTransactionObject {
  // The signature has a parity where the type has one.
  return { ...toFilledTransaction(transaction), ...signatureOf(transaction) } as SignedTransactionObject;
}

/** Maps an unsigned transaction. @param price wei for a unit of gas; absent: the fee cap */
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
      const typed = { chainId: quantity(chainId), accessList: toAccessList(accessList) };
      return { type: '0x1', ...message, gasPrice: quantity(gasPrice), ...typed };
    }
    case 'dynamicFee':
      return { type: '0x2', ...message, ...feeMarketFields(transaction, price) };
    case 'setCode': {
      const authorizationList = toAuthorizationList(transaction.authorizationList);
      return { type: '0x4', ...message, ...feeMarketFields(transaction, price), authorizationList };
    }
    case 'blob': {
      const fees = feeMarketFields(transaction, price);
      const maxFeePerBlobGas = quantity(transaction.maxFeePerBlobGas);
      const blobVersionedHashes = transaction.blobVersionedHashes.map(toPrefixedHex);
      const called = { ...message, to: toPrefixedHex(transaction.to) };
      return { type: '0x3', ...called, ...fees, maxFeePerBlobGas, blobVersionedHashes };
    }
  }
}

function feeMarketFields(
  {
    chainId,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList,
  }: Extract<EthereumTransactionFields, { readonly maxFeePerGas: bigint }>,
  price = maxFeePerGas,
) {
  return {
    gasPrice: quantity(price),
    maxFeePerGas: quantity(maxFeePerGas),
    maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
    chainId: quantity(chainId),
    accessList: toAccessList(accessList),
  };
}

function toAuthorizationList(list: AuthorizationList): AuthorizationObjects {
  return list.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chainId: quantity(chainId),
    address: toPrefixedHex(address),
    nonce: quantity(nonce),
    yParity: quantity(yParity),
    r: quantity(r),
    s: quantity(s),
  }));
}

function signatureOf({ type, v, r, s, yParity }: EthereumTransaction) {
  const signature = { v: quantity(v), r: quantity(r), s: quantity(s) };
  return type === 'legacy' ? signature : { yParity: quantity(yParity), ...signature };
}

/** Maps an access list (EIP-2930). */
export function toAccessList(accessList: AccessList): ValueOf<typeof accessListShape> {
  return accessList.map(({ address, storageKeys }) => ({
    address: toPrefixedHex(address),
    storageKeys: storageKeys.map(toPrefixedHex),
  }));
}
