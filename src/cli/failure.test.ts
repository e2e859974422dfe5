import { expect, test } from 'vitest';
import { startFailure } from './failure.ts';

test('default: the message', () => {
  expect(startFailure(new Error('the folder is foreign'))).toBe('the folder is foreign');
});

test('behavior: the meaning of a code of the operating system, also of a cause', () => {
  const cause = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
  expect(startFailure(new Error('cannot listen', { cause }))).toBe(
    'cannot listen: the port is in use; --port names another, --port 0 takes a free one',
  );
});

test('behavior: codes of our own and causes that are no errors add nothing', () => {
  const error = Object.assign(new Error('no', { cause: 'because' }), { code: 'constructor' });
  expect(startFailure(error)).toBe('no');
  expect(startFailure('a text')).toBe('a text');
});

test('behavior: one line', () => {
  expect(startFailure(new Error('a\nb'))).toBe('a\\u000ab');
});
