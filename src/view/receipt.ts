import type { IncludedOperation, OperationReceipt } from '../ledger/index.ts';
import { blockHashOf, senderAddress } from '../protocol/index.ts';
import { data, quantity } from './formatting.ts';
import { toLogs } from './log.ts';
import { logsBloom } from './logs-bloom.ts';
import type { ReceiptObject } from './objects.ts';
import { GAS_PRICE, TRANSACTION_TYPE } from './transaction.ts';

/** Maps the outcome of an included operation to a receipt object (docs/interface.md#transaction-receipt). */
export function toReceipt(
  included: IncludedOperation,
  receipt: Omit<OperationReceipt, 'output'>,
): ReceiptObject {
  const gasUsed = quantity(receipt.gasUsed);
  const { contractAddress } = receipt;
  return {
    type: TRANSACTION_TYPE,
    transactionHash: data(included.hash),
    transactionIndex: quantity(included.index),
    blockHash: data(blockHashOf(included.block.id)),
    blockNumber: quantity(included.block.number),
    from: data(senderAddress(included.operation)),
    to: included.to === undefined ? null : data(included.to),
    cumulativeGasUsed: gasUsed,
    gasUsed,
    effectiveGasPrice: GAS_PRICE,
    contractAddress: contractAddress === undefined ? null : data(contractAddress),
    logs: toLogs(included, receipt),
    logsBloom: data(logsBloom(receipt.logs)),
    status: quantity(receipt.status === 'success' ? 1 : 0),
  };
}
