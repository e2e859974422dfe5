/** Numbers and bytes as hexadecimal. */

/**
 * A number as a word of the EVM, 64 digits.
 *
 * @param {bigint | number | string} value a text as `BigInt` takes it
 */
export function word(value) {
  return BigInt(value).toString(16).padStart(64, '0');
}

/**
 * A number as JSON-RPC has it.
 *
 * @param {bigint | number} value
 */
export function quantity(value) {
  return `0x${value.toString(16)}`;
}

/**
 * Bytes as JSON-RPC has them.
 *
 * @param {Uint8Array} bytes
 */
export function toHex(bytes) {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
