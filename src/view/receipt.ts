import type { IncludedOperation, OperationReceipt } from '../ledger/index.ts';
import { blockHashOf } from '../protocol/index.ts';
import { data, quantity } from './formatting.ts';
import { toLogs } from './log.ts';
import { logsBloom } from './logs-bloom.ts';
import type { ReceiptObject } from './objects.ts';
import { senderOf } from './transaction.ts';

/** Maps the outcome of an included operation to a receipt object (specification 2.5). */
export function toReceipt(included: IncludedOperation, receipt: OperationReceipt): ReceiptObject {
  const gasUsed = quantity(receipt.gasUsed);
  const { contractAddress } = receipt;
  return {
    transactionHash: data(included.hash),
    transactionIndex: quantity(included.index),
    blockHash: data(blockHashOf(included.block.id)),
    blockNumber: quantity(included.block.number),
    from: data(senderOf(included.operation)),
    to: included.to === undefined ? null : data(included.to),
    cumulativeGasUsed: gasUsed,
    gasUsed,
    contractAddress: contractAddress === undefined ? null : data(contractAddress),
    logs: toLogs(included, receipt),
    logsBloom: data(logsBloom(receipt.logs)),
    status: quantity(receipt.status === 'success' ? 1 : 0),
  };
}
