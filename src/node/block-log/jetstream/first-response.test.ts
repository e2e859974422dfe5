import { expect, test } from 'vitest';
import { STREAM_REQUEST_REPEAT_MS } from '../../../limits.ts';
import { ManualTime } from '../../../time.testing.ts';
import { firstResponse } from './stream-messages.ts';

interface Question {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** Questions that wait until a test answers them. */
function questions() {
  const open: Question[] = [];
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      open.push({ resolve, reject });
    });
  return { open, ask };
}

test('behavior: a question that nobody answers keeps nobody from being asked again', async () => {
  const time = new ManualTime();
  const { open, ask } = questions();
  const answer = firstResponse(time, ask);
  expect(open).toHaveLength(1);
  await time.pass(2 * STREAM_REQUEST_REPEAT_MS);
  expect(open).toHaveLength(3);
  open[2]?.resolve('the new leader');
  expect(await answer).toBe('the new leader');
  open[0]?.reject(new Error('too late'));
  await time.pass(10 * STREAM_REQUEST_REPEAT_MS);
  expect(open).toHaveLength(3);
});

test('error: the first question that fails ends it, so that as many as fit into its time are open', async () => {
  const time = new ManualTime();
  const { open, ask } = questions();
  const answer = firstResponse(time, ask);
  await time.pass(STREAM_REQUEST_REPEAT_MS);
  open[0]?.reject(new Error('no answer came'));
  await expect(answer).rejects.toThrow('no answer came');
  await time.pass(10 * STREAM_REQUEST_REPEAT_MS);
  expect(open).toHaveLength(2);
});
