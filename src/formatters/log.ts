import type { FoundLog, OperationReceipt } from '../ledger/index.ts';
import { blockHashOf, type Hash, quantity, toPrefixedHex } from '../protocol/index.ts';
import type { LogObject } from './objects.ts';

export type LogPosition = Pick<FoundLog, 'operation' | 'transactionHash' | 'block'>;

/** Maps the logs of an operation to log objects, in their order (docs/interface.md#log-object). */
export function toLogs(
  position: LogPosition,
  { logs, firstLogIndex }: Pick<OperationReceipt, 'logs' | 'firstLogIndex'>,
): LogObject[] {
  return logs.map((log, index) => toLog({ ...position, index: firstLogIndex + index, ...log }));
}

/** Maps a log that a query found to a log object (docs/interface.md#log-object). */
export function toLog(log: FoundLog): LogObject {
  return {
    removed: false,
    logIndex: quantity(log.index),
    transactionIndex: quantity(log.operation),
    transactionHash: toPrefixedHex(log.transactionHash),
    blockHash: toPrefixedHex(blockHashOf(log.block.id)),
    blockNumber: quantity(log.block.number),
    blockTimestamp: quantity(log.block.header.timestamp),
    address: toPrefixedHex(log.address),
    data: toPrefixedHex(log.data),
    topics: log.topics.map(toPrefixedHex),
  };
}

/** Writes logs as a JSON array of log objects, faster than `JSON.stringify`, with the same text. */
export function logsText(logs: readonly FoundLog[]): string {
  let lastHash: Hash | undefined;
  let position = '';
  const texts = logs.map((log) => {
    // Consecutive logs of one operation share the object of its hash.
    if (log.transactionHash !== lastHash) position = positionText(log);
    lastHash = log.transactionHash;
    return logText(log, log.index, position);
  });
  return `[${texts.join(',')}]`;
}

/** Writes a log object. @param position text from `positionText` */
export function logText(
  { address, data: bytes, topics }: Pick<FoundLog, 'address' | 'data' | 'topics'>,
  index: number,
  position: string,
): string {
  const topicTexts = topics.map((topic) => `"${toPrefixedHex(topic)}"`).join(',');
  return (
    `{"removed":false,"logIndex":"${quantity(index)}",${position},` +
    `"address":"${toPrefixedHex(address)}","data":"${toPrefixedHex(bytes)}","topics":[${topicTexts}]}`
  );
}

/** Writes the members of a log object that all logs of an operation share. */
export function positionText({ operation, transactionHash, block }: LogPosition): string {
  return (
    `"transactionIndex":"${quantity(operation)}","transactionHash":"${toPrefixedHex(transactionHash)}",` +
    `"blockHash":"${toPrefixedHex(blockHashOf(block.id))}","blockNumber":"${quantity(block.number)}",` +
    `"blockTimestamp":"${quantity(block.header.timestamp)}"`
  );
}
