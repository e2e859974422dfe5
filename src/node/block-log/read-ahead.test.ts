import { expect, test } from 'vitest';
import { systemTime, yieldToEventLoop } from '../../time/time.ts';
import { BLOCK_LOG_AHEAD_BLOCKS_MAX, BLOCK_LOG_AHEAD_BYTES_MAX, readAhead } from './block-log-importer.ts';

/** A stream that gives blocks of these lengths, then waits for its end; tells how far it came, and that it ended. */
function streamOf(lengths: Iterable<number>, failure?: Error) {
  const seen = { read: 0, isOver: false };
  async function* open(stop: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for (const length of lengths) {
        seen.read += 1;
        yield new Uint8Array(length);
      }
      if (failure !== undefined) throw failure;
      await new Promise<void>((resolve) => {
        if (stop.aborted) resolve();
        stop.addEventListener('abort', () => resolve());
      });
    } finally {
      seen.isOver = true;
    }
  }
  return { seen, open };
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await yieldToEventLoop(systemTime);
}

test('behavior: blocks received during processing are returned together, in order', async () => {
  const { seen, open } = streamOf([1, 2, 3, 4, 5]);
  const lengths: number[][] = [];
  for await (const blocks of readAhead(open, new AbortController().signal)) {
    await turns();
    lengths.push(blocks.map(({ length }) => length));
    if (lengths.flat().length === 5) break;
  }
  expect(lengths).toEqual([[1], [2, 3, 4, 5]]);
  expect(seen).toEqual({ read: 5, isOver: true });
});

test.each([
  ['blocks', 1, BLOCK_LOG_AHEAD_BLOCKS_MAX],
  ['bytes', BLOCK_LOG_AHEAD_BYTES_MAX / 4, 4],
])('behavior: no more %s are read ahead than the bound allows', async (_what, length, most) => {
  const { seen, open } = streamOf(Array(3 * most).fill(length));
  let count = 0;
  for await (const blocks of readAhead(open, new AbortController().signal)) {
    for (let time = 0; time < most; time += 1) await Promise.resolve();
    await turns();
    expect(blocks.length).toBeLessThanOrEqual(most);
    expect(seen.read - count - blocks.length).toBeLessThanOrEqual(most);
    count += blocks.length;
    if (count === 3 * most) break;
  }
  expect(count).toBe(3 * most);
});

test('error: a stream failure is thrown after all earlier blocks were returned', async () => {
  const { open } = streamOf([1, 2, 3], new Error('it is gone'));
  let count = 0;
  const reading = (async () => {
    for await (const blocks of readAhead(open, new AbortController().signal)) {
      await turns();
      count += blocks.length;
    }
  })();
  await expect(reading).rejects.toThrow('it is gone');
  expect(count).toBe(3);
});

test.each(['before it begins', 'while it waits'])('behavior: a stream that is ended %s', async (when) => {
  const { seen, open } = streamOf([1]);
  const stop = new AbortController();
  if (when === 'before it begins') stop.abort();
  for await (const blocks of readAhead(open, stop.signal)) {
    expect(blocks).toHaveLength(1);
    setImmediate(() => stop.abort());
  }
  expect(seen.isOver).toBe(true);
});
