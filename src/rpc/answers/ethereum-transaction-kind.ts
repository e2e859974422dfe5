/** Recognises Ethereum's transactions by their structure, to say what is wrong with them here. */

/** Types of transactions that have an envelope (EIP-2718): access list, dynamic fee, blobs, set code. */
const LAST_TYPE = 4;
/** Items of a transaction's list: an unsigned legacy one has the fewest, a signed one with blobs the most. */
const FEWEST_ITEMS = 6;
const MOST_ITEMS = 14;

/** First bytes of RLP items: where strings, long strings, lists and long lists begin. */
const STRING = 0x80;
const LONG_STRING = 0xb8;
const LIST = 0xc0;
const LONG_LIST = 0xf8;
/** Bytes of a length that are looked at: no more than 4 GiB. */
const MOST_LENGTH_BYTES = 4;

/** An RLP item: where its payload begins and ends. */
interface Item {
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Names the kind of Ethereum transaction that bytes are: one RLP list of single items up to the last byte, after the
 * type where there is one.
 *
 * @returns undefined for bytes that are none
 */
export function ethereumTransactionKind(bytes: Uint8Array): string | undefined {
  const [type = 0] = bytes;
  if (type >= 1 && type <= LAST_TYPE) return isTransactionList(bytes, 1) ? `type ${type}` : undefined;
  return isTransactionList(bytes, 0) ? 'legacy' : undefined;
}

function isTransactionList(bytes: Uint8Array, offset: number): boolean {
  const list = itemAt(bytes, offset);
  if (list === undefined || !list.isList || list.end !== bytes.length) return false;
  let items = 0;
  for (let place = list.start; place < list.end; items += 1) {
    const item = itemAt(bytes, place);
    if (item === undefined || items === MOST_ITEMS) return false;
    place = item.end;
  }
  return items >= FEWEST_ITEMS;
}

/** Reads the head of an item (Yellow Paper, appendix B); undefined where it goes beyond the bytes. */
function itemAt(bytes: Uint8Array, offset: number): Item | undefined {
  const first = bytes[offset];
  if (first === undefined) return undefined;
  if (first < STRING) return { isList: false, start: offset, end: offset + 1 };
  const isList = first >= LIST;
  const lengthBytes = first - (isList ? LONG_LIST : LONG_STRING) + 1;
  const start = offset + 1 + Math.max(lengthBytes, 0);
  const length =
    lengthBytes > 0 ? numberAt(bytes, offset + 1, lengthBytes) : first - (isList ? LIST : STRING);
  if (length === undefined || start + length > bytes.length) return undefined;
  return { isList, start, end: start + length };
}

function numberAt(bytes: Uint8Array, offset: number, length: number): number | undefined {
  if (length > MOST_LENGTH_BYTES || offset + length > bytes.length) return undefined;
  return bytes.subarray(offset, offset + length).reduce((value, byte) => value * 256 + byte, 0);
}
