import { expect, test } from 'vitest';
import { FollowError } from './block-source.ts';
import { within } from './fetch-blocks.ts';

/** Part of a response that never comes, even if its request is aborted. */
const NEVER = new Promise<never>(() => undefined);

test('error: a response that does not come in time', async () => {
  const stop = new AbortController();
  await expect(within(1, 'no response', stop, NEVER)).rejects.toThrow(new FollowError('no response'));
  expect(stop.signal.aborted).toBe(true);
});

test('error: a request that is aborted before or while its response is awaited', async () => {
  const stop = new AbortController();
  const awaited = within(60_000, 'no response', stop, NEVER);
  stop.abort(new FollowError('the node stops'));
  await expect(awaited).rejects.toThrow('the node stops');
  await expect(within(60_000, 'no response', stop, NEVER)).rejects.toThrow('the node stops');
});

test('default: a response in time', async () => {
  expect(await within(60_000, 'no response', new AbortController(), Promise.resolve('here'))).toBe('here');
});
