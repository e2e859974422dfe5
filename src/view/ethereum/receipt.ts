import type { FoundLog, IncludedOperation, OperationReceipt, PendingOperation } from '../../ledger/index.ts';
import {
  blockHashOf,
  createAddress,
  type Hash,
  type Hexadecimal,
  isEthereumTransaction,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../../protocol/index.ts';
import { toLogs } from '../log.ts';
import { logsBloom } from '../logs-bloom.ts';
import type { EthereumReceiptObject } from './objects.ts';

const TYPE_NUMBERS = { legacy: '0x0', accessList: '0x1', dynamicFee: '0x2' } as const;

/** Returns the hash of an operation on `/ethereum`: that of its Ethereum transaction, or else the native one. */
export function ethereumHashOf({ operation, hash }: IncludedOperation | PendingOperation): Hash {
  return isEthereumTransaction(operation) ? operation.innerTransaction.hash : hash;
}

/** Gives logs the hashes of `/ethereum`. @param operationOf finds the operation of a log, called once for neighbours */
export function ethereumLogs(
  logs: readonly FoundLog[],
  operationOf: (log: FoundLog) => IncludedOperation | undefined,
): FoundLog[] {
  let native: Hash | undefined;
  let transactionHash: Hash | undefined;
  return logs.map((log) => {
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
 * @param gasPrice wei that a unit of gas cost
 */
export function toEthereumReceipt(
  included: IncludedOperation,
  receipt: Omit<OperationReceipt, 'output'>,
  cumulativeGasUsed: bigint,
  gasPrice: bigint,
): EthereumReceiptObject {
  const { block, index, operation, to } = included;
  const hash = ethereumHashOf(included);
  return {
    type: isEthereumTransaction(operation) ? TYPE_NUMBERS[operation.innerTransaction.type] : '0x0',
    status: receipt.status === 'success' ? '0x1' : '0x0',
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    logs: toLogs({ ...included, hash }, receipt),
    logsBloom: toPrefixedHex(logsBloom(receipt.logs)),
    transactionHash: toPrefixedHex(hash),
    transactionIndex: quantity(index),
    blockHash: toPrefixedHex(blockHashOf(block.id)),
    blockNumber: quantity(block.number),
    gasUsed: quantity(receipt.gasUsed),
    effectiveGasPrice: quantity(gasPrice),
    from: toPrefixedHex(senderAddress(operation)),
    to: to === undefined ? null : toPrefixedHex(to),
    contractAddress: createdAddress(included, receipt),
  };
}

/** Returns the address that a creation made, or, in a failed Ethereum transaction, would have made, as geth does. */
function createdAddress(
  { operation, to }: IncludedOperation,
  { contractAddress }: Pick<OperationReceipt, 'contractAddress'>,
): Hexadecimal | null {
  if (contractAddress !== undefined) return toPrefixedHex(contractAddress);
  if (to !== undefined || !isEthereumTransaction(operation)) return null;
  return toPrefixedHex(createAddress(operation.sender, operation.innerTransaction.nonce));
}
