import type { Block } from '../../protocol/index.ts';
import type { Time } from '../../time/time.ts';
import { BLOCK_FEED_BYTES_MAX } from '../stored-block-feed.ts';
import { decodeBlock } from './received-block.ts';

/** A block of a followed node. */
export interface FollowedBlock {
  readonly block: Block;
  /** Returns the block after it, once that has arrived; only its link to this one was checked. */
  following(): Block | undefined;
}

/** A block that is being received, and its contents once it was decoded before its turn. */
interface Arrival {
  readonly bytes: Promise<Uint8Array | undefined>;
  decoded: Block | undefined;
}

/**
 * Yields serialized blocks, and receives one more while the last one is being added. A large one is decoded only when
 * it is its turn.
 * @param check checks the header of a block whose turn has come; may throw
 * @param leave ends the request
 * @throws the errors of the blocks, of `check` and of `decodeBlock`
 */
export async function* decodeAhead(
  blocks: AsyncIterable<Uint8Array>,
  check: (bytes: Uint8Array) => void,
  leave: () => void,
  time: Time,
): AsyncGenerator<FollowedBlock, void, undefined> {
  const received = blocks[Symbol.asyncIterator]();
  const receive = (): Arrival => {
    const next = received.next();
    const arrival: Arrival = { bytes: next.then(({ value }) => value ?? undefined), decoded: undefined };
    const decoding = arrival.bytes.then(async (bytes) => {
      if (bytes === undefined || bytes.length > BLOCK_FEED_BYTES_MAX) return;
      arrival.decoded = await decodeBlock(bytes, time);
    });
    // Whoever takes the block reports its error.
    decoding.catch(() => undefined);
    return arrival;
  };
  try {
    for (let arrival = receive(); ; ) {
      const bytes = await arrival.bytes;
      if (bytes === undefined) return;
      check(bytes);
      const block = arrival.decoded ?? (await decodeBlock(bytes, time));
      const later = receive();
      yield { block, following: () => later.decoded };
      arrival = later;
    }
  } finally {
    leave();
    await received.return?.();
  }
}
