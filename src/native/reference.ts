import { blockIdOfHash, blockNumberOf, FormatError, readHex, toBlockId, toHash } from '../protocol/index.ts';

/** A block as the interface returns it, its hash there (32 bytes), or its native id (20 bytes). */
export type BlockReference = string | Block;

interface Block {
  readonly hash: string;
  readonly timestamp?: number | bigint | string | undefined;
}

/** A transaction's fields about its reference block, and that block's time in Unix seconds if known. */
export interface ReadReference {
  readonly refBlockNum: number;
  readonly refBlockPrefix: number;
  readonly timestamp: number | undefined;
}

const FIELD = 'reference block';
const ID_BYTES = 20;
const HASH_BYTES = 32;
/** Offset of the prefix in the id. */
const PREFIX_OFFSET = 4;

/** Reads a reference. @throws {FormatError} for any value that names no block */
export function readReference(reference: BlockReference): ReadReference {
  const block = typeof reference === 'string' ? { hash: reference } : reference;
  // A program without types may hand in whatever it got for a block that there is not.
  const { hash, timestamp }: Partial<Block> = { ...block };
  const id = idOf(hash);
  return {
    refBlockNum: blockNumberOf(id) & 0xffff,
    refBlockPrefix: new DataView(id.buffer, id.byteOffset).getUint32(PREFIX_OFFSET, true),
    timestamp: timestamp === undefined ? undefined : secondsOf(timestamp),
  };
}

function idOf(text: unknown) {
  const bytes = typeof text === 'string' ? readHex(text.replace(/^0x/, '')) : undefined;
  if (bytes?.length === ID_BYTES) return toBlockId(bytes);
  const id = bytes?.length === HASH_BYTES ? blockIdOfHash(toHash(bytes)) : undefined;
  if (id === undefined) throw new FormatError(FIELD, 'must be the hash of a block, or its id of 20 bytes');
  return id;
}

function secondsOf(timestamp: number | bigint | string): number {
  const seconds = Number(timestamp);
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds;
  throw new FormatError(`${FIELD}.timestamp`, 'must be Unix seconds');
}
