import type { FoundLog, IncludedOperation, OperationReceipt } from '../ledger/index.ts';
import { blockHashOf, type Hash, quantity, toPrefixedHex } from '../protocol/index.ts';
import type { LogObject } from './objects.ts';

/** Maps the logs that an included operation generated to log objects, in their order (docs/interface.md#log-object). */
export function toLogs(
  included: IncludedOperation,
  receipt: Pick<OperationReceipt, 'logs' | 'firstLogIndex'>,
): LogObject[] {
  const { block, index: operation, hash: transactionHash } = included;
  return receipt.logs.map((log, position) =>
    foundLog({ block, index: receipt.firstLogIndex + position, operation, transactionHash, ...log }),
  );
}

/** Maps a log that a query found to a log object (docs/interface.md#log-object). */
export function foundLog(log: FoundLog): LogObject {
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

/** Writes the log objects of logs as a JSON array: the text that `JSON.stringify` would make of them, sooner. */
export function logsText(logs: readonly FoundLog[]): string {
  let written: Hash | undefined;
  let place = '';
  const texts = logs.map((log) => {
    // Neighbours that one operation wrote share the object of its hash.
    if (log.transactionHash !== written) place = placeText(log);
    written = log.transactionHash;
    return logText(log, log.index, place);
  });
  return `[${texts.join(',')}]`;
}

/** Writes a log object. @param place what `placeText` gives for its operation */
export function logText(
  { address, data: bytes, topics }: Pick<FoundLog, 'address' | 'data' | 'topics'>,
  index: number,
  place: string,
): string {
  const topicTexts = topics.map((topic) => `"${toPrefixedHex(topic)}"`).join(',');
  return (
    `{"removed":false,"logIndex":"${quantity(index)}",${place},` +
    `"address":"${toPrefixedHex(address)}","data":"${toPrefixedHex(bytes)}","topics":[${topicTexts}]}`
  );
}

/** Place of the operation that wrote a log. */
export type LogPlace = Pick<FoundLog, 'operation' | 'transactionHash' | 'block'>;

/** Writes the members of a log object that all logs of an operation have in common. */
export function placeText({ operation, transactionHash, block }: LogPlace): string {
  return (
    `"transactionIndex":"${quantity(operation)}","transactionHash":"${toPrefixedHex(transactionHash)}",` +
    `"blockHash":"${toPrefixedHex(blockHashOf(block.id))}","blockNumber":"${quantity(block.number)}",` +
    `"blockTimestamp":"${quantity(block.header.timestamp)}"`
  );
}
