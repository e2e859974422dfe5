import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockTiming } from '../../ledger/index.ts';
import { WORKER_QUESTION_NUMBERS_MAX } from '../../limits.ts';
import { OUTCOMES, type ProfileId } from '../../rpc/index.ts';
import {
  FrameReader,
  readMessage,
  readQuestion,
  type WorkerQuestion,
  writeAnswer,
  writeQuestion,
  writeReady,
  writeResults,
} from './frames.ts';

const LENGTH_BYTES = 4;

const questions = fc.record<WorkerQuestion>({
  number: fc.integer({ min: 1, max: WORKER_QUESTION_NUMBERS_MAX }),
  timing: fc.record<BlockTiming>({
    ahead: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
    nextTimestamp: fc.option(fc.nat(2 ** 32 - 1), { nil: undefined }),
    timestampInterval: fc.option(fc.nat(2 ** 32 - 1), { nil: undefined }),
  }),
  profile: fc.constantFrom<ProfileId>('ledger', 'ethereum'),
  epoch: fc.nat(2 ** 32 - 1),
  isTrial: fc.boolean(),
  takesRest: fc.boolean(),
  request: fc.string({ unit: 'grapheme' }),
});

const answers = fc.record({
  response: fc.string({ unit: 'grapheme' }),
  outcome: fc.constantFrom(...OUTCOMES),
  milliseconds: fc.double({ min: 0, noNaN: true }),
  message: fc.string({ unit: 'grapheme' }),
  failure: fc.string(),
});

describe('frames', () => {
  test('behavior: questions and answers come out as they went in', () => {
    fc.assert(
      fc.property(questions, (question) => {
        expect(readQuestion(writeQuestion(question).subarray(LENGTH_BYTES))).toEqual(question);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: WORKER_QUESTION_NUMBERS_MAX }), answers, (number, answer) => {
        const frame = writeAnswer(number, answer).subarray(LENGTH_BYTES);
        expect(readMessage(frame)).toEqual({ kind: 'answer', number, answer });
      }),
    );
    const results = Buffer.from('what was computed');
    expect(readMessage(writeResults(results).subarray(LENGTH_BYTES))).toEqual({ kind: 'results', results });
    expect(readMessage(writeReady().subarray(LENGTH_BYTES))).toEqual({ kind: 'ready' });
  });

  test('behavior: whatever pieces a stream gives, the frames are the same', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(questions, { maxLength: 5 }), lengths, (asked, pieces) => {
        const found: WorkerQuestion[] = [];
        const reader = new FrameReader((frame) => found.push(readQuestion(frame)));
        let rest = Buffer.concat(asked.map(writeQuestion));
        for (const length of pieces) {
          reader.take(rest.subarray(0, length));
          rest = rest.subarray(length);
        }
        reader.take(rest);
        expect(found).toEqual(asked);
      }),
    );
  });
});
