import type { IncludedOperation, OperationReceipt } from '../ledger/index.ts';
import { blockHashOf } from '../protocol/index.ts';
import { data, quantity } from './formatting.ts';
import type { LogObject } from './objects.ts';

/** Maps the logs that an included operation generated to log objects, in their order (specification 2.6). */
export function toLogs(included: IncludedOperation, receipt: OperationReceipt): LogObject[] {
  if (receipt.logs.length === 0) return [];
  const place = {
    transactionIndex: quantity(included.index),
    transactionHash: data(included.hash),
    blockHash: data(blockHashOf(included.block.id)),
    blockNumber: quantity(included.block.number),
  };
  return receipt.logs.map((log, position) => ({
    removed: false,
    logIndex: quantity(receipt.firstLogIndex + position),
    ...place,
    address: data(log.address),
    data: data(log.data),
    topics: log.topics.map(data),
  }));
}
