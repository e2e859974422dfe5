import { BLOCK_TRANSACTIONS_MAX, TRANSACTION_BYTES_MAX } from '../../consensus.ts';
import { BlockRejectedError } from '../../ledger/index.ts';
import {
  type Block,
  ByteReader,
  blockCodec,
  bytesToHex,
  DecodeError,
  decode,
  FormatError,
  merkleRoot,
  processedTransactionCodec,
  type SignedBlockHeader,
  signedBlockHeaderCodec,
} from '../../protocol/index.ts';
import { inSlices } from '../../time/job.ts';
import type { Stopwatch } from '../../time/time.ts';
import { BLOCK_FEED_BYTES_MAX } from '../stored-block-feed.ts';
import { FollowError } from './block-source.ts';

/** Bytes of a transaction with its results: the result of an operation is never longer than the operation. */
const PROCESSED_TRANSACTION_BYTES_MAX = 2 * TRANSACTION_BYTES_MAX;

/** Decodes the header of a serialized block. @throws FollowError */
export function decodeHeader(bytes: Uint8Array): SignedBlockHeader {
  return reading(() => signedBlockHeaderCodec.read(new ByteReader(bytes)));
}

/**
 * Decodes a block after the check of its header. A decoded block needs many times its bytes: a large one is decoded
 * only if its transactions are those that its producer signed.
 * @param time measures the time slices of the check of a large one; absent: the system's
 * @throws FollowError, BlockRejectedError
 */
export async function decodeBlock(bytes: Uint8Array, time?: Stopwatch): Promise<Block> {
  if (bytes.length > BLOCK_FEED_BYTES_MAX) await inSlices(checkTransactions(bytes), time);
  return reading(() => decode(blockCodec, bytes));
}

/** Checks a block's transactions against its header, with one of them in memory at a time. */
function* checkTransactions(bytes: Uint8Array): Generator<void, void> {
  const reader = new ByteReader(bytes);
  const header = reading(() => signedBlockHeaderCodec.read(reader));
  const count = reading(() => reader.readVarint(BLOCK_TRANSACTIONS_MAX));
  const parts: Uint8Array[] = [];
  let offset = reader.offset;
  for (let index = 0; index < count; index += 1) {
    const rest = bytes.subarray(offset, offset + PROCESSED_TRANSACTION_BYTES_MAX);
    const length = reading(() => {
      const transaction = new ByteReader(rest);
      processedTransactionCodec.read(transaction);
      return transaction.offset;
    });
    parts.push(rest.subarray(0, length));
    offset += length;
    yield;
  }
  const root = bytesToHex(merkleRoot(parts));
  if (offset === bytes.length && root === bytesToHex(header.transactionMerkleRoot)) return;
  throw new BlockRejectedError(
    header.round,
    'transaction_merkle_root',
    'its transactions do not have this root',
  );
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof DecodeError || cause instanceof FormatError)) throw cause;
    throw new FollowError(`it sent an invalid block: ${cause.message}`, { cause });
  }
}
