import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemTime, type Time } from '../../../time/time.ts';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { type LogMessage, messagesOf, STREAM_PART_BYTES_MAX } from './entry.ts';
import {
  blockAfter,
  blocksOf,
  chainIdentity,
  type LogBlock,
  MemoryMessages,
  messageWith,
} from './log-chain.testing.ts';
import { LogIndex } from './log-index.ts';
import { LogReader, MessageNotifier, STREAM_SILENCE_MS_MAX } from './log-reader.ts';
import { STREAM_LOSS_MS } from './timeouts.ts';

const CHAIN = chainIdentity('reader');
const BLOCKS = blocksOf(CHAIN, 40, (number) => (number % 7 === 3 ? STREAM_PART_BYTES_MAX + number : 0));

/** Returns the messages of blocks, as a stream stores them. */
function stored(blocks: readonly LogBlock[]): LogMessage[] {
  const all = blocks.flatMap(({ number, bytes }) => messagesOf(number, bytes));
  return all.map(({ headers, data }, index) => messageWith(index + 1, headers, data));
}

/** A time that jumps to the end of each wait. */
function leaping(): Time {
  let now = 0;
  return {
    ...systemTime,
    now: () => now,
    after: (milliseconds, callback) => {
      const handle = setImmediate(() => {
        now += milliseconds;
        callback();
      });
      return () => clearImmediate(handle);
    },
  };
}

interface Reading {
  readonly messages: MemoryMessages;
  readonly index: LogIndex;
  read(from: number, count: number): Promise<Uint8Array[]>;
}

function readingOf(messages: MemoryMessages): Reading {
  const index = new LogIndex(messages, CHAIN.genesisId);
  return {
    messages,
    index,
    read: async (from, count) => {
      const time = leaping();
      const stop = new AbortController();
      const read: Uint8Array[] = [];
      const reader = new LogReader(messages, index, new MessageNotifier(time), time);
      for await (const block of reader.read(from, stop.signal)) {
        read.push(block);
        if (read.length === count) stop.abort();
      }
      return read;
    },
  };
}

function same(read: readonly Uint8Array[], blocks: readonly LogBlock[]): boolean {
  return (
    read.length === blocks.length &&
    blocks.every(({ bytes }, index) => Buffer.compare(bytes, read[index] ?? new Uint8Array()) === 0)
  );
}

test('default: reads all blocks from any number on, large ones included', async () => {
  for (let from = 1; from <= BLOCKS.length; from += 1) {
    const { read } = readingOf(new MemoryMessages(stored(BLOCKS)));
    expect(same(await read(from, BLOCKS.length - from + 1), BLOCKS.slice(from - 1))).toBe(true);
  }
});

test('behavior: few queries find the messages of a block', async () => {
  const many = blocksOf(CHAIN, 3_000, (number) => (number === 5 ? 3 * STREAM_PART_BYTES_MAX : 0));
  const { messages, index } = readingOf(new MemoryMessages(stored(many)));
  expect(await index.before(2_500)).toMatchObject({ number: 2_499, id: many[2_498]?.id });
  expect(messages.queries).toBeLessThan(40);
  expect(await index.findEnd()).toMatchObject({ number: 3_000, sequence: 3_002 });
});

test('behavior: entries that do not extend the tip are skipped, wherever reading begins', async () => {
  const stray = fc.constantFrom('older', 'other parent', 'far ahead', 'twice');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 29 }), stray), { maxLength: 8 }),
      fc.integer({ min: 1, max: 30 }),
      async (strays, from) => {
        const blocks = blocksOf(CHAIN, 30);
        const mixed: LogBlock[] = blocks.flatMap((block, position) => [
          block,
          ...strays
            .filter(([stray]) => stray === position)
            .map(([, kind]) => strayAfter(block, blocks, kind)),
        ]);
        const { read, index } = readingOf(new MemoryMessages(stored(mixed)));
        expect(same(await read(from, 31 - from), blocks.slice(from - 1))).toBe(true);
        expect(await index.findEnd()).toMatchObject({ number: 30, sequence: mixed.length });
      },
    ),
  );
});

function strayAfter(block: LogBlock, blocks: readonly LogBlock[], kind: string): LogBlock {
  const { number, id, parent } = block;
  const other = blockAfter(number, parent, 'other');
  if (kind === 'twice') return block;
  if (kind === 'older') return blocks[0] ?? block;
  if (kind === 'other parent') return blockAfter(number + 1, other.id, 'stray');
  return blockAfter(number + 3, blockAfter(number + 2, id, 'never').id, 'stray');
}

test('error: a message that is no part of a block', async () => {
  const messages = stored(BLOCKS);
  messages[4] = messageWith(5, [['Ledgerd-Block', 'five']], Uint8Array.of(1));
  const reading = readingOf(new MemoryMessages(messages)).read(1, BLOCKS.length);
  await expect(reading).rejects.toThrow(BlockLogUnsoundError);
});

test('error: a block interrupted by another one', async () => {
  const messages = stored(BLOCKS.slice(0, 4));
  messages[3] = messageWith(4, [['Ledgerd-Block', '4']], BLOCKS[3]?.bytes ?? new Uint8Array());
  const reading = readingOf(new MemoryMessages(messages)).read(1, 4);
  await expect(reading).rejects.toThrow('interrupts block 3 after its part 1');
});

test('error: a wrong sequence', async () => {
  const messages = new MemoryMessages(stored(BLOCKS));
  const lying = Object.assign(messages, { at: async (sequence: number) => messages.messages[sequence] });
  await expect(readingOf(lying).read(1, 3)).rejects.toThrow('message 1 of the log is missing');
});

test('error: a log with a message that stays missing', async () => {
  const messages = new MemoryMessages(stored(BLOCKS));
  const lacking = Object.assign(messages, {
    at: async (sequence: number) => (sequence === 3 ? undefined : messages.messages[sequence - 1]),
    from: async (sequence: number) => messages.messages.slice(sequence - 1, 2),
  });
  await expect(readingOf(lacking).read(1, 5)).rejects.toThrow('message 3 of the log is missing');
});

test('error: a log that lost its end and does not recover it in time', async () => {
  const messages = new MemoryMessages(stored(BLOCKS));
  const { index, read } = readingOf(messages);
  await index.findEnd();
  await read(1, BLOCKS.length);
  messages.messages.splice(20);
  await expect(read(BLOCKS.length + 1, 1)).rejects.toThrow('the log lost its end');
  expect(STREAM_LOSS_MS).toBeGreaterThan(STREAM_SILENCE_MS_MAX);
});

test('error: a log that does not respond for long', async () => {
  const messages = new MemoryMessages(stored(BLOCKS));
  const silent = Object.assign(messages, {
    at: async () => {
      throw new BlockLogUnavailableError('no response');
    },
  });
  await expect(readingOf(silent).read(1, 1)).rejects.toThrow(BlockLogUnavailableError);
});
