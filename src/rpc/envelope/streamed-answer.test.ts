import { expect, test } from 'vitest';
import { TRACE_PIECES_AHEAD_MAX } from '../../limits.ts';
import { StreamedAnswer, wholeAnswer } from './streamed-answer.ts';

const piece = (text: string): Buffer => Buffer.from(text);

/** A stream, and what its source was told. */
function open(): { stream: StreamedAnswer; told: string[] } {
  const told: string[] = [];
  const stream = new StreamedAnswer({
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume'),
    abandon: () => void told.push('abandon'),
  });
  return { stream, told };
}

async function read(stream: StreamedAnswer, pieces: string[]): Promise<void> {
  for await (const bytes of stream) pieces.push(bytes.toString());
}

test('default: pieces come in their order, whoever is first', async () => {
  const { stream, told } = open();
  stream.push(piece('one'));
  const pieces: string[] = [];
  const reading = read(stream, pieces);
  stream.push(piece('two'));
  stream.end();
  stream.push(piece('too late'));
  await reading;
  expect([pieces, told]).toEqual([['one', 'two'], []]);
});

test('behavior: the source waits while too many wait, until all are taken', async () => {
  const { stream, told } = open();
  for (let count = 0; count < TRACE_PIECES_AHEAD_MAX; count += 1) stream.push(piece(`${count}`));
  expect(told).toEqual(['pause']);
  const iterator = stream[Symbol.asyncIterator]();
  for (let count = 0; count < TRACE_PIECES_AHEAD_MAX; count += 1) await iterator.next();
  expect(told).toEqual(['pause']);
  const last = iterator.next();
  await Promise.resolve();
  expect(told).toEqual(['pause', 'resume']);
  stream.end();
  expect(await last).toEqual({ done: true, value: undefined });
});

test('behavior: who leaves is told of', async () => {
  const { stream, told } = open();
  stream.push(piece('one'));
  for await (const _ of stream) break;
  expect(told).toEqual(['abandon']);
});

test('error: what fails on its way is no answer, whatever waits of it', async () => {
  const { stream, told } = open();
  const pieces: string[] = [];
  stream.push(piece('one'));
  stream.end(new RangeError('too long'));
  await expect(read(stream, pieces)).rejects.toThrow('too long');
  expect([pieces, told]).toEqual([[], []]);
});

test('error: pieces for somebody who takes none', () => {
  expect(() => wholeAnswer(open().stream)).toThrow('pieces come to those who take them');
});
