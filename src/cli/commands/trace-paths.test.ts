import { expect, test } from 'vitest';
import type { TreeCall } from '../../contracts/index.ts';
import { toAddress } from '../../protocol/index.ts';
import { hasFailed, type StructLog, withFailurePaths } from './trace.ts';

const NO_BYTES = new Uint8Array(0);

function callOf(kind: string, isFailed: boolean, calls: readonly TreeCall[] = []): TreeCall {
  const from = toAddress(new Uint8Array(20));
  const failure = isFailed ? { text: 'execution reverted', isRevert: true, path: [] } : undefined;
  return { kind, from, to: from, value: 0n, gasUsed: 0n, input: NO_BYTES, output: NO_BYTES, failure, calls };
}

const steps = (...texts: readonly string[]): StructLog[] =>
  texts.map((text) => {
    const [depth, pc, op = ''] = text.split(' ');
    return { depth: Number(depth), pc: Number(pc), op };
  });

/** The paths of a tree, call by call. */
function placesOf({ failure, calls }: TreeCall): unknown[] {
  return [failure?.path, ...calls.map(placesOf)];
}

test('default: calls with code, without, and creations', () => {
  const root = callOf('CALL', true, [
    callOf('STATICCALL', false),
    callOf('CALL', true, [callOf('CREATE', true)]),
    callOf('DELEGATECALL', true),
  ]);
  const log = steps(
    ...['1 0 PUSH1', '1 2 STATICCALL', '1 3 CALL', '2 0 PUSH0', '2 1 CREATE', '3 0 ADD', '3 7 REVERT'],
    ...['2 9 REVERT', '1 4 DELEGATECALL', '2 5 INVALID', '1 6 REVERT'],
  );
  expect(placesOf(withFailurePaths(root, log))).toEqual([[6], [undefined], [[9], [[0, 7]]], [[5]]]);
  expect([hasFailed(root), hasFailed(callOf('CALL', false))]).toEqual([true, false]);
});

test('behavior: a frame that runs out of gas has no failure path, and a mismatched trace changes nothing', () => {
  const root = callOf('CALL', true, [callOf('CALL', true)]);
  expect(placesOf(withFailurePaths(root, steps('1 0 ADD', '1 1 SSTORE')))).toEqual([[], [[]]]);
  expect(placesOf(withFailurePaths(root, steps('1 0 CREATE', '2 4 REVERT', '1 1 REVERT')))).toEqual([
    [1],
    [[]],
  ]);
  expect(withFailurePaths(root, [])).toBe(root);
});
