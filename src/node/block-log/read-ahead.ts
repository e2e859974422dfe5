import { BLOCK_LOG_AHEAD_BLOCKS_MAX, BLOCK_LOG_AHEAD_BYTES_MAX } from '../../limits.ts';

/**
 * Reads a stream of blocks ahead of its reader, within a bound, and ends the stream when the reader leaves. Yields all
 * blocks that arrived since the last time, in order: at least one. Throws what the stream throws, after these.
 * @param open returns a stream that ends once its signal is aborted
 */
export async function* readAhead(
  open: (stop: AbortSignal) => AsyncIterable<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  const left = new AbortController();
  let blocks: Uint8Array[] = [];
  let bytes = 0;
  let end: { readonly failure?: unknown } | undefined;
  // Only one side waits at a time: there are blocks, or there is room.
  let wake = (): void => undefined;
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const leave = (): void => {
    left.abort();
    wake();
  };
  const isFull = (): boolean =>
    blocks.length >= BLOCK_LOG_AHEAD_BLOCKS_MAX || bytes >= BLOCK_LOG_AHEAD_BYTES_MAX;
  const readAll = async (): Promise<void> => {
    try {
      for await (const block of open(left.signal)) {
        blocks.push(block);
        bytes += block.length;
        wake();
        while (isFull() && !left.signal.aborted) await change();
        if (left.signal.aborted) break;
      }
      end = {};
    } catch (failure) {
      end = { failure };
    }
    wake();
  };
  stop.addEventListener('abort', leave);
  if (stop.aborted) leave();
  const reading = readAll();
  try {
    for (;;) {
      while (blocks.length === 0 && end === undefined) await change();
      if (blocks.length === 0) break;
      const taken = blocks;
      blocks = [];
      bytes = 0;
      wake();
      yield taken;
    }
    if (end !== undefined && 'failure' in end) throw end.failure;
  } finally {
    stop.removeEventListener('abort', leave);
    leave();
    await reading;
  }
}
