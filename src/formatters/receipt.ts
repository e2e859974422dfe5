import type { IncludedOperation, OperationReceipt, ReceiptOutline } from '../ledger/index.ts';
import {
  blockHashOf,
  type Hash,
  isEthereumTransaction,
  quantity,
  senderAddress,
  toPrefixedHex,
} from '../protocol/index.ts';
import { type LogPosition, logText, positionText, toLogs } from './log.ts';
import { type BloomedLog, LOGS_BLOOM_BYTES, logsBloom } from './logs-bloom.ts';
import type { LogObject, ReceiptObject } from './objects.ts';
import { GAS_PRICE } from './transaction.ts';

/** Number of logs in one piece of a receipt. */
const LOGS_PER_PIECE = 100;
/** Members of a receipt object without logs. */
const NO_LOGS = `"logs":[],"logsBloom":"${toPrefixedHex(logsBloom([]))}"`;

export type LogReceipt = Omit<OperationReceipt, 'output'>;

/** Maps the outcome of an included operation to the receipt fields that both profiles show alike. */
export function commonReceipt(
  { block, index, operation, to }: IncludedOperation,
  transactionHash: Hash,
  receipt: LogReceipt,
) {
  const { contractAddress } = receipt;
  return {
    transactionHash: toPrefixedHex(transactionHash),
    transactionIndex: quantity(index),
    blockHash: toPrefixedHex(blockHashOf(block.id)),
    blockNumber: quantity(block.number),
    type: '0x0' as const,
    from: toPrefixedHex(senderAddress(operation)),
    to: to === undefined ? null : toPrefixedHex(to),
    gasUsed: quantity(receipt.gasUsed),
    contractAddress: contractAddress === undefined ? null : toPrefixedHex(contractAddress),
    logs: toLogs({ block, operation: index, transactionHash }, receipt),
    logsBloom: toPrefixedHex(logsBloom(receipt.logs)),
    status: quantity(receipt.status === 'success' ? 1 : 0),
  };
}

/**
 * Maps the outcome of an included operation to a receipt object (docs/interface.md#transaction-receipt). The gas of an
 * Ethereum transaction is the units that it was charged.
 */
export function toReceipt(included: IncludedOperation, receipt: LogReceipt): ReceiptObject {
  const { operation, feesCollected } = included;
  const gasUsed = isEthereumTransaction(operation) ? feesCollected : receipt.gasUsed;
  const common = { ...commonReceipt(included, included.hash, receipt), gasUsed: quantity(gasUsed) };
  return { ...common, cumulativeGasUsed: common.gasUsed, effectiveGasPrice: GAS_PRICE };
}

/** Writes a receipt object in pieces of 100 logs. @param empty the object without logs */
export function* receiptPieces(
  empty: { readonly logs: readonly LogObject[] },
  position: LogPosition,
  receipt: Pick<ReceiptOutline, 'logs' | 'firstLogIndex'>,
): Generator<string> {
  const [head = '', tail = ''] = JSON.stringify(empty).split(NO_LOGS);
  const common = positionText(position);
  const bloom = new Uint8Array(LOGS_BLOOM_BYTES);
  let index = receipt.firstLogIndex;
  let texts: string[] = [];
  let bloomed: BloomedLog[] = [];
  let separator = `${head}"logs":[`;
  for (const log of receipt.logs()) {
    texts.push(logText(log, index, common));
    bloomed.push(log);
    index += 1;
    if (texts.length < LOGS_PER_PIECE) continue;
    logsBloom(bloomed, bloom);
    yield separator + texts.join(',');
    separator = ',';
    texts = [];
    bloomed = [];
  }
  logsBloom(bloomed, bloom);
  const rest = texts.length === 0 && separator === ',' ? '' : separator + texts.join(',');
  yield `${rest}],"logsBloom":"${toPrefixedHex(bloom)}"${tail}`;
}
