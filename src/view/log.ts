import type { FoundLog, IncludedOperation, OperationReceipt } from '../ledger/index.ts';
import { blockHashOf } from '../protocol/index.ts';
import { data, quantity } from './formatting.ts';
import type { LogObject } from './objects.ts';

/** Maps the logs that an included operation generated to log objects, in their order (specification 2.6). */
export function toLogs(included: IncludedOperation, receipt: OperationReceipt): LogObject[] {
  const { block, index: operation, hash: transactionHash } = included;
  return receipt.logs.map((log, position) =>
    foundLog({ block, index: receipt.firstLogIndex + position, operation, transactionHash, ...log }),
  );
}

/** Maps a log that a query found to a log object (specification 2.6). */
export function foundLog(log: FoundLog): LogObject {
  return {
    removed: false,
    logIndex: quantity(log.index),
    transactionIndex: quantity(log.operation),
    transactionHash: data(log.transactionHash),
    blockHash: data(blockHashOf(log.block.id)),
    blockNumber: quantity(log.block.number),
    address: data(log.address),
    data: data(log.data),
    topics: log.topics.map(data),
  };
}
