const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes in hexadecimal with `0x`. */
export function toHex(bytes: Uint8Array): string {
  let text = '0x';
  for (const byte of bytes) text += DIGITS[byte] ?? '';
  return text;
}

/** Reads hexadecimal digits with `0x`, two for each byte; undefined for anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^0x[0-9a-f]*$/i.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2 - 1);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(text.slice(2 + 2 * index, 4 + 2 * index), 16);
  }
  return bytes;
}
