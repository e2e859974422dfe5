import { expect, test } from 'vitest';
import { ManualTime } from '../../../time/time.testing.ts';
import { firstResponse, STREAM_REQUEST_REPEAT_MS } from './stream-messages.ts';

interface PendingQuery {
  resolve(response: string): void;
  reject(error: Error): void;
}

/** Returns a query that stays pending until a test settles it. */
function pendingQueries() {
  const pending: PendingQuery[] = [];
  const query = (): Promise<string> =>
    new Promise((resolve, reject) => {
      pending.push({ resolve, reject });
    });
  return { pending, query };
}

test('behavior: a query without a response is repeated', async () => {
  const time = new ManualTime();
  const { pending, query } = pendingQueries();
  const response = firstResponse(time, query);
  expect(pending).toHaveLength(1);
  await time.pass(2 * STREAM_REQUEST_REPEAT_MS);
  expect(pending).toHaveLength(3);
  pending[2]?.resolve('the new leader');
  expect(await response).toBe('the new leader');
  pending[0]?.reject(new Error('too late'));
  await time.pass(10 * STREAM_REQUEST_REPEAT_MS);
  expect(pending).toHaveLength(3);
});

test('error: the first failure ends the repetition, which bounds the pending queries', async () => {
  const time = new ManualTime();
  const { pending, query } = pendingQueries();
  const response = firstResponse(time, query);
  await time.pass(STREAM_REQUEST_REPEAT_MS);
  pending[0]?.reject(new Error('no response arrived'));
  await expect(response).rejects.toThrow('no response arrived');
  await time.pass(10 * STREAM_REQUEST_REPEAT_MS);
  expect(pending).toHaveLength(2);
});
