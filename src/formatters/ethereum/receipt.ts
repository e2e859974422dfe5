import type { FoundLog, IncludedOperation, PendingOperation } from '../../ledger/index.ts';
import {
  blobGasOf,
  createAddress,
  type Hash,
  isEthereumTransaction,
  quantity,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { commonReceipt, type LogReceipt } from '../receipt.ts';
import type { EthereumReceiptObject } from './objects.ts';

/** Wei that a transaction paid for a unit of gas, and of blob gas. */
export interface ReceiptPrices {
  readonly gasPrice: bigint;
  blobGasPrice(): bigint;
}

const TYPE_NUMBERS = {
  legacy: '0x0',
  accessList: '0x1',
  dynamicFee: '0x2',
  blob: '0x3',
  setCode: '0x4',
} as const;

/** Returns the hash of an operation on `/ethereum`: that of its Ethereum transaction, or else the native one. */
export function ethereumHashOf({ operation, hash }: IncludedOperation | PendingOperation): Hash {
  return isEthereumTransaction(operation) ? operation.innerTransaction.hash : hash;
}

/** Replaces the hashes of logs by those of `/ethereum`. @param operationOf finds the operation of a log */
export function ethereumLogs(
  logs: readonly FoundLog[],
  operationOf: (log: FoundLog) => IncludedOperation | undefined,
): FoundLog[] {
  let native: Hash | undefined;
  let transactionHash: Hash | undefined;
  return logs.map((log) => {
    // Consecutive logs of one operation need one look-up.
    if (transactionHash === undefined || log.transactionHash !== native) {
      native = log.transactionHash;
      const operation = operationOf(log);
      transactionHash = operation === undefined ? native : ethereumHashOf(operation);
    }
    return { ...log, transactionHash };
  });
}

/**
 * Maps the outcome of an included operation to a receipt object of Ethereum.
 *
 * @param cumulativeGasUsed gas that the block used up to the end of the operation
 * @param prices that it paid
 */
export function toEthereumReceipt(
  included: IncludedOperation,
  receipt: LogReceipt,
  cumulativeGasUsed: bigint,
  { gasPrice, blobGasPrice }: ReceiptPrices,
): EthereumReceiptObject {
  const { operation, to } = included;
  const common = {
    ...commonReceipt(included, ethereumHashOf(included), receipt),
    blockTimestamp: quantity(included.block.header.timestamp),
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    effectiveGasPrice: quantity(gasPrice),
  };
  if (!isEthereumTransaction(operation)) return common;
  const { innerTransaction } = operation;
  const { type, nonce } = innerTransaction;
  // The receipt of a failed creation has the address that it would have created, as in geth.
  const created = to === undefined ? toPrefixedHex(createAddress(operation.sender, nonce)) : null;
  return {
    ...common,
    type: TYPE_NUMBERS[type],
    contractAddress: common.contractAddress ?? created,
    ...(innerTransaction.type === 'blob' && {
      blobGasUsed: quantity(blobGasOf(innerTransaction)),
      blobGasPrice: quantity(blobGasPrice()),
    }),
  };
}
