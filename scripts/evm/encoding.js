/** Numbers and bytes of the test files, and RLP. */

const WORD_BYTES = 32;
/** Maximum length that the first byte of an RLP item encodes. */
const SHORT_BYTES = 55;
const STRING_MARK = 0x80;
const LIST_MARK = 0xc0;

/** Returns the bytes of hexadecimal digits after `0x`; their number may be odd. */
export function toBytes(hex) {
  const digits = hex.slice(2);
  return new Uint8Array(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'));
}

/** Returns lower-case digits without `0x`. */
export function toHex(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

/** Parses a number of a test file: absent and empty ones are 0; one beyond 256 bits is marked as such. */
export function toNumber(text) {
  if (text === undefined || text === '' || text === '0x') return 0n;
  return BigInt(text.replace('0x:bigint ', ''));
}

/** Returns a number as 32 bytes. */
export function toWord(value) {
  return toBytes(`0x${wordHex(value)}`);
}

/** Returns a number as 64 digits. */
export function wordHex(value) {
  return value.toString(16).padStart(2 * WORD_BYTES, '0');
}

/** Encodes bytes, a number, or a list of such in RLP. */
export function encodeRlp(item) {
  if (Array.isArray(item)) return withLength(LIST_MARK, Buffer.concat(item.map(encodeRlp)));
  const bytes = typeof item === 'bigint' ? shortest(item) : item;
  return bytes.length === 1 && bytes[0] < STRING_MARK ? bytes : withLength(STRING_MARK, bytes);
}

function shortest(value) {
  return value === 0n ? new Uint8Array(0) : toBytes(`0x${value.toString(16)}`);
}

function withLength(mark, content) {
  if (content.length <= SHORT_BYTES) return Buffer.concat([Uint8Array.of(mark + content.length), content]);
  const length = shortest(BigInt(content.length));
  return Buffer.concat([Uint8Array.of(mark + SHORT_BYTES + length.length), length, content]);
}
