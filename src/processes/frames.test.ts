import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockTiming } from '../ledger/index.ts';
import { LONG_RESPONSE_CHARACTERS, type ProfileId, ResponseBody } from '../rpc/index.ts';
import { type Frame, FrameReader, readResult, type SentJob, writeFrame, writeResult } from './frames.ts';

const jobs = fc.record<SentJob>({
  number: fc.nat(2 ** 32 - 1),
  kind: fc.constantFrom('query', 'prewarm', 'trace'),
  timing: fc.record<BlockTiming>({
    ahead: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    nextTimestamp: fc.option(fc.nat(2 ** 32 - 1), { nil: undefined }),
    timestampInterval: fc.option(fc.nat(2 ** 32 - 1), { nil: undefined }),
  }),
  profile: fc.constantFrom<ProfileId>('ledger', 'ethereum'),
  reorgCount: fc.nat(2 ** 32 - 1),
  acceptsStreams: fc.boolean(),
  call: fc.record({
    kind: fc.constant('call'),
    id: fc.json(),
    method: fc.string(),
    parameters: fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
  }),
});

const facts = {
  outcome: 'reverted',
  milliseconds: 1.5,
  message: 'grün',
  revertData: '0x01',
  failure: '',
} as const;

/** The frames that a stream gives in some pieces. */
function framesOf(pieces: readonly Buffer[]): readonly Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  for (const piece of pieces) reader.take(piece);
  return frames;
}

describe('frames', () => {
  test('default', () => {
    const [results, ready] = framesOf([writeFrame('results', Buffer.from('computed')), writeFrame('ready')]);
    expect([results?.kind, results?.content.toString()]).toEqual(['results', 'computed']);
    expect([ready?.kind, ready?.content.length]).toEqual(['ready', 0]);
  });

  test.each([1, LONG_RESPONSE_CHARACTERS])('behavior: a result survives a round trip, %j times', (times) => {
    const text = '"äö"'.repeat(times);
    for (const response of [text, new ResponseBody(Buffer.from(text))]) {
      const [frame] = framesOf([writeResult(7, { response, ...facts })]);
      const { number, result } = readResult(frame?.content ?? Buffer.alloc(0));
      expect({ number, ...result, response: String(result.response) }).toEqual({
        number: 7,
        ...facts,
        response: text,
      });
      expect(typeof result.response).toBe(times === 1 ? 'string' : 'object');
    }
  });

  test('behavior: whatever pieces a stream gives, the jobs are the same', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(jobs, { maxLength: 5 }), lengths, (sent, cuts) => {
        let rest = Buffer.concat(sent.map((job) => writeFrame('job', serialize(job))));
        const pieces = cuts.map((length) => {
          const piece = rest.subarray(0, length);
          rest = rest.subarray(length);
          return piece;
        });
        const frames = framesOf([...pieces, rest]);
        expect(frames.map(({ content }) => deserialize(content))).toEqual(sent);
        expect(frames.every(({ kind }) => kind === 'job')).toBe(true);
      }),
    );
  });
});
