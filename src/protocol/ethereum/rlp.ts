import { concatBytes, numberToBytes } from '../bytes/bytes.ts';

/** What RLP writes: bytes, or a list of such things. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** First bytes of strings and of lists, and the payload from which on a length of its own precedes it. */
export const STRING = 0x80;
export const LIST = 0xc0;
export const LONG_PAYLOAD_BYTES = 56;

/** What is added to the first byte of a long payload, beside the number of bytes that its length takes. */
const LONG_FORM = LONG_PAYLOAD_BYTES - 1;

/** Writes an item by the rules of RLP. Source: yellow paper, appendix B. */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const [first] = item;
    if (item.length === 1 && first !== undefined && first < STRING) return item;
    return concatBytes(rlpHead(STRING, item.length), item);
  }
  return encodeRlpList(...item.map(encodeRlp));
}

/** A list of items that are written already. */
export function encodeRlpList(...items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return concatBytes(rlpHead(LIST, length), ...items);
}

/** What precedes a payload of `length` bytes. */
function rlpHead(kind: number, length: number): Uint8Array {
  if (length < LONG_PAYLOAD_BYTES) return Uint8Array.of(kind + length);
  const digits = numberToBytes(BigInt(length));
  return concatBytes(Uint8Array.of(kind + LONG_FORM + digits.length), digits);
}
