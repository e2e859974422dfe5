/** Numbers in an input that is taken to go on with zeros for ever. */

/**
 * The big-endian number of `length` bytes at `offset`. Both may be any numbers; a part that lies past the
 * input costs memory only where it follows bytes that are not zero.
 */
export function readNumber(input: Uint8Array, offset: bigint, length: bigint): bigint {
  if (offset >= BigInt(input.length)) return 0n;
  const start = Number(offset);
  const present = input.length - start;
  if (length <= BigInt(present)) return bytesToNumber(input.subarray(start, start + Number(length)));
  const number = bytesToNumber(input.subarray(start));
  return number === 0n ? 0n : number << (8n * (length - BigInt(present)));
}

/** The big-endian number of some bytes; 0 for none. */
function bytesToNumber(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`);
}

/** The number, which must fit, as `length` big-endian bytes. */
export function numberToBytes(number: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex'));
}
