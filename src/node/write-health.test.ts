import { expect, test } from 'vitest';
import type { Ledger } from '../ledger/index.ts';
import { StoreError } from '../store/index.ts';
import { WriteHealth } from './write-health.ts';

const PROBLEMS = ['the last block or transaction could not be written'];

function watched(): { readonly health: WriteHealth; commit(): void } {
  let commit = (): void => undefined;
  const onBlock: Ledger['chain']['onBlock'] = (listener) => {
    // Nothing of the block is looked at.
    commit = () => listener({} as Parameters<typeof listener>[0], {} as Parameters<typeof listener>[1]);
    return () => undefined;
  };
  return { health: new WriteHealth({ onBlock }), commit: () => commit() };
}

test('default: a failed commit is a problem until one succeeds', () => {
  const { health, commit } = watched();
  expect(health.problems()).toEqual([]);
  health.note(new StoreError('STORE_COMMIT_FAILED', 'disk full'));
  expect(health.problems()).toEqual(PROBLEMS);
  commit();
  expect(health.problems()).toEqual([]);
});

test('behavior: blocks that are only in memory are a problem until they are written, also after further blocks', () => {
  let commit = (): void => undefined;
  let unwritten = { blocks: 3, hasFailed: true };
  const onBlock: Ledger['chain']['onBlock'] = (listener) => {
    commit = () => listener({} as Parameters<typeof listener>[0], {} as Parameters<typeof listener>[1]);
    return () => undefined;
  };
  const health = new WriteHealth({ onBlock }, {}, { unwritten: () => unwritten });
  health.note(new StoreError('STORE_COMMIT_FAILED', 'disk full'));
  commit();
  expect(health.problems()).toEqual(['the newest 3 blocks could not be written, and are in memory only']);
  unwritten = { blocks: 0, hasFailed: false };
  expect(health.problems()).toEqual([]);
});

test('behavior: a disk failure during a commit is reported, and remains a problem', () => {
  const told: Error[] = [];
  const health = new WriteHealth(
    { onBlock: () => () => undefined },
    { onDiskFailure: (error) => told.push(error) },
  );
  const failure = new StoreError('STORE_DISK_FAILED', 'input/output error');
  health.note(failure);
  expect([told, health.problems()]).toEqual([[failure], PROBLEMS]);
});

test('behavior: other failures are none of writing', () => {
  const { health } = watched();
  for (const error of [new StoreError('STORE_CLOSED', ''), new RangeError(), 'text']) health.note(error);
  expect(health.problems()).toEqual([]);
});
