/** Bytes of the length after the metadata of a code. */
const LENGTH_BYTES = 2;
/** First byte of a CBOR map of one to four entries (RFC 8949). */
const MAP_OF_ONE = 0xa1;
const MAP_OF_FOUR = 0xa4;
/** Keys of Solidity's metadata. */
const KEYS: ReadonlySet<string> = new Set(['ipfs', 'bzzr0', 'bzzr1', 'solc', 'experimental']);
/** Major types of CBOR: byte strings, and texts. */
const BYTES = 0x40;
const TEXT = 0x60;
/** Strings up to this length have it in their first byte; those up to 255 bytes have it in the next one. */
const SHORT_STRING = 23;
const NEXT_BYTE = 24;
const FALSE = 0xf4;
const TRUE = 0xf5;

/** A range of bytes, without its end. */
export type ByteRange = readonly [start: number, end: number];

/** Returns the bytes of code before its metadata, which is CBOR and its length. */
export function lengthWithoutMetadata(code: Uint8Array): number {
  const start = code.length - LENGTH_BYTES - lengthAt(code, code.length - LENGTH_BYTES);
  const first = code[start] ?? 0;
  const isMap = first >= MAP_OF_ONE && first <= MAP_OF_FOUR && start < code.length - LENGTH_BYTES;
  return start > 0 && isMap ? start : code.length;
}

/** Finds the metadata of Solidity within code, which is that of contracts that it creates. */
export function metadataSections(code: Uint8Array, end: number): ByteRange[] {
  const found: ByteRange[] = [];
  for (let start = 0; start < end; start += 1) {
    const sectionEnd = sectionEndAt(code, start);
    if (sectionEnd === undefined || sectionEnd > end) continue;
    found.push([start, sectionEnd]);
    start = sectionEnd - 1;
  }
  return found;
}

/** Returns the end of the metadata that begins at a position, after its length; undefined for other bytes. */
function sectionEndAt(code: Uint8Array, start: number): number | undefined {
  const first = code[start] ?? 0;
  if (first < MAP_OF_ONE || first > MAP_OF_FOUR) return undefined;
  let offset = start + 1;
  for (let entries = first - MAP_OF_ONE + 1; entries > 0; entries -= 1) {
    const key = stringAt(code, offset, TEXT);
    if (key === undefined || !KEYS.has(String.fromCharCode(...code.subarray(...key)))) return undefined;
    const value = stringAt(code, key[1], BYTES) ?? stringAt(code, key[1], TEXT);
    const isFlag = code[key[1]] === TRUE || code[key[1]] === FALSE;
    if (value === undefined && !isFlag) return undefined;
    offset = value?.[1] ?? key[1] + 1;
  }
  return lengthAt(code, offset) === offset - start ? offset + LENGTH_BYTES : undefined;
}

/** Returns the content of a string of at most 255 bytes. */
function stringAt(code: Uint8Array, offset: number, type: typeof BYTES | typeof TEXT): ByteRange | undefined {
  const length = (code[offset] ?? 0) - type;
  if (length < 0 || length > NEXT_BYTE) return undefined;
  const [start, size] = length <= SHORT_STRING ? [offset + 1, length] : [offset + 2, code[offset + 1] ?? 0];
  return start + size <= code.length ? [start, start + size] : undefined;
}

function lengthAt(code: Uint8Array, offset: number): number {
  return ((code[offset] ?? 0) << 8) | (code[offset + 1] ?? 0);
}
