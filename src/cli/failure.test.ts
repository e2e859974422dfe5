import { expect, test } from 'vitest';
import { ChainDamagedError, InvalidGenesisError } from '../ledger/index.ts';
import { DataFolderError, GenesisFileError, KeyFileError } from '../node/index.ts';
import { StoreError } from '../store/index.ts';
import { interrupted, UsageError } from './command-errors.ts';
import { failureText, statusOf } from './failure.ts';

test('default: the message', () => {
  expect(failureText(new Error('the folder is foreign'))).toBe('the folder is foreign');
});

test('behavior: the meaning of a code of the operating system, also of a cause', () => {
  const cause = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
  expect(failureText(new Error('cannot listen', { cause }))).toBe(
    'cannot listen: the port is in use; --port names another, --port 0 takes a free one',
  );
});

test('behavior: unknown error codes and causes that are not errors are omitted', () => {
  const error = Object.assign(new Error('no', { cause: 'because' }), { code: 'constructor' });
  expect(failureText(error)).toBe('no');
  expect(failureText('a text')).toBe('a text');
});

test('behavior: the advice after long paths stays', () => {
  const message = `the folder ${'/folder'.repeat(500)} has no chain: create one`;
  expect(failureText(new Error(message))).toBe(message);
});

test('behavior: one line', () => {
  expect(failureText(new Error('a\nb'))).toBe('a\\u000ab');
});

test.each<[number, unknown]>([
  [1, new Error('no')],
  [1, 'a text'],
  [1, interrupted()],
  [1, new StoreError('STORE_COMMIT_FAILED', 'no')],
  [2, new UsageError('no')],
  [2, new GenesisFileError('no')],
  [2, new InvalidGenesisError('accounts', 'no')],
  [2, new StoreError('STORE_LIMITED', 'no')],
  [3, new DataFolderError('unusable', 'no')],
  [4, new DataFolderError('inUse', 'no')],
  [5, new StoreError('STORE_DISK_FAILED', 'no')],
  [3, new KeyFileError('no')],
  [3, new ChainDamagedError('no')],
  [3, new StoreError('STORE_FOREIGN', 'no')],
  [3, new StoreError('STORE_NEWER_FORMAT', 'no')],
  [3, new StoreError('STORE_READ_ONLY', 'no')],
])('args: status %d: %s', (status, error) => {
  expect(statusOf(error)).toBe(status);
});
