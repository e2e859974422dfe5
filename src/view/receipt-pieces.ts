import type { ReceiptOutline } from '../ledger/index.ts';
import { data } from './formatting.ts';
import { type LogPlace, logText, placeText } from './log.ts';
import { type BloomedLog, LOGS_BLOOM_BYTES, logsBloom } from './logs-bloom.ts';
import type { LogObject } from './objects.ts';

/** Logs that are written together. */
const TOGETHER = 100;
/** Members of a receipt object without logs. */
const NO_LOGS = `"logs":[],"logsBloom":"${data(logsBloom([]))}"`;

/**
 * Writes a receipt object piece by piece, some of its logs at a time.
 *
 * @param empty the object as it would be without logs
 */
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
  yield `${rest}],"logsBloom":"${data(bloom)}"${tail}`;
}
