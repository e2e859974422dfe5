import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { FormatError, locate } from './errors.ts';

/** Greatest length that the four bytes in front of a block can say. */
const LONGEST_BLOCK = 2 ** 32 - 1;

/**
 * Several serialized blocks as one byte string: each behind its length in bytes, a uint32, little endian as all
 * integers of the native format.
 *
 * @throws {FormatError} for a block of no bytes, which there is none of, or of more than a uint32 can count.
 */
export function frameBlocks(blocks: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  for (const [index, block] of blocks.entries()) {
    if (block.length === 0 || block.length > LONGEST_BLOCK) {
      throw new FormatError(`frames[${index}]`, `a block of ${block.length} bytes`);
    }
    writer.writeUint32(block.length);
    writer.writeBytes(block);
  }
  return writer.finish();
}

/**
 * The serialized blocks that `frameBlocks` put together, as copies; what is in them is not looked at.
 *
 * @throws {DecodeError} where a block is empty or runs past the end, with its index and offset.
 */
export function unframeBlocks(bytes: Uint8Array): Uint8Array[] {
  const reader = new ByteReader(bytes);
  const blocks: Uint8Array[] = [];
  try {
    while (reader.remaining > 0) {
      const start = reader.offset;
      const length = reader.readUint32();
      if (length === 0) throw reader.failure('a block of 0 bytes', start);
      blocks.push(reader.readBytes(length));
    }
  } catch (error) {
    throw locate(error, `frames[${blocks.length}]`);
  }
  return blocks;
}
