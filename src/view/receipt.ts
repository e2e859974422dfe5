import type { IncludedOperation, OperationReceipt, ReceiptOutline } from '../ledger/index.ts';
import { blockHashOf, quantity, senderAddress, toPrefixedHex } from '../protocol/index.ts';
import { type LogPlace, logText, placeText, toLogs } from './log.ts';
import { type BloomedLog, LOGS_BLOOM_BYTES, logsBloom } from './logs-bloom.ts';
import type { LogObject, ReceiptObject } from './objects.ts';
import { GAS_PRICE, TRANSACTION_TYPE } from './transaction.ts';

/** Logs that are written together. */
const TOGETHER = 100;
/** Members of a receipt object without logs. */
const NO_LOGS = `"logs":[],"logsBloom":"${toPrefixedHex(logsBloom([]))}"`;

/** Maps the outcome of an included operation to a receipt object (docs/interface.md#transaction-receipt). */
export function toReceipt(
  included: IncludedOperation,
  receipt: Omit<OperationReceipt, 'output'>,
): ReceiptObject {
  const gasUsed = quantity(receipt.gasUsed);
  const { contractAddress } = receipt;
  return {
    type: TRANSACTION_TYPE,
    transactionHash: toPrefixedHex(included.hash),
    transactionIndex: quantity(included.index),
    blockHash: toPrefixedHex(blockHashOf(included.block.id)),
    blockNumber: quantity(included.block.number),
    from: toPrefixedHex(senderAddress(included.operation)),
    to: included.to === undefined ? null : toPrefixedHex(included.to),
    cumulativeGasUsed: gasUsed,
    gasUsed,
    effectiveGasPrice: GAS_PRICE,
    contractAddress: contractAddress === undefined ? null : toPrefixedHex(contractAddress),
    logs: toLogs(included, receipt),
    logsBloom: toPrefixedHex(logsBloom(receipt.logs)),
    status: quantity(receipt.status === 'success' ? 1 : 0),
  };
}

/** Writes a receipt object piece by piece, some of its logs at a time. @param empty the object without logs */
export function* receiptPieces(
  empty: { readonly logs: readonly LogObject[] },
  place: LogPlace,
  receipt: Pick<ReceiptOutline, 'logs' | 'firstLogIndex'>,
): Generator<string> {
  const [head = '', tail = ''] = JSON.stringify(empty).split(NO_LOGS);
  const common = placeText(place);
  const bloom = new Uint8Array(LOGS_BLOOM_BYTES);
  let index = receipt.firstLogIndex;
  let texts: string[] = [];
  let bloomed: BloomedLog[] = [];
  let separator = `${head}"logs":[`;
  for (const log of receipt.logs()) {
    texts.push(logText(log, index, common));
    bloomed.push(log);
    index += 1;
    if (texts.length < TOGETHER) continue;
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
