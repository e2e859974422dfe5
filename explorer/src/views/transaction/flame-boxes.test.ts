import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallTree, readCallTree } from '../../client/traces.ts';
import { callersOf, listedCalls } from './call-rows.ts';
import { flameBoxes } from './flame-boxes.ts';

const ADDRESS = `0x${'00'.repeat(20)}`;
const ALL = { widthMin: 0, depthMax: 10_000, countMax: 10_000 };

/** A call as `callTracer` writes it. */
interface TracedCall {
  readonly gasUsed: string;
  readonly calls: TracedCall[];
}

const callOf = (gasUsed: bigint, ...calls: TracedCall[]): TracedCall => ({
  ...{ type: 'CALL', from: ADDRESS, to: ADDRESS, gas: '0x0' },
  ...{ gasUsed: `0x${gasUsed.toString(16)}`, calls },
});

/** Builds a tree in which each call but the first is inside of one before it. */
function treeOf(gas: readonly bigint[], callers: readonly number[]): CallTree {
  const calls = gas.map((gasUsed) => callOf(gasUsed));
  for (const [index, call] of calls.entries()) {
    if (index > 0) calls[(callers[index - 1] ?? 0) % index]?.calls.push(call);
  }
  return readCallTree(calls[0]);
}

const SMALL = callOf(100n, callOf(50n, callOf(10n)), callOf(25n));

test('default: calls lie side by side below their caller, as wide as their gas', () => {
  const boxes = flameBoxes(readCallTree(SMALL), { ...ALL, widthMin: 0.001 });
  expect(boxes.map(({ frame, left, width }) => [frame.id, left, width])).toEqual([
    [0, 0, 1],
    [1, 0, 0.5],
    [2, 0, 0.1],
    [3, 0.5, 0.25],
  ]);
});

test('behavior: no box exceeds the bounds of its caller, whatever gas the calls report', () => {
  const gas = fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(gas, fc.array(fc.nat(), { maxLength: 40 }), (used, callers) => {
      const { frames, ...tree } = treeOf(used, callers);
      expect(frames).toHaveLength(used.length);
      const boxes = new Map(flameBoxes({ ...tree, frames }, ALL).map((box) => [box.frame.id, box]));
      for (const { frame, left, width } of boxes.values()) {
        const inner = boxes.get(callersOf(frames, frame.id)[0] ?? -1);
        if (inner === undefined) continue;
        expect(left).toBeGreaterThanOrEqual(inner.left);
        expect(left + width).toBeLessThanOrEqual(inner.left + inner.width + 1e-9);
      }
    }),
  );
});

test('behavior: above the maximum count the widest boxes are kept, and boxes that are too deep are dropped', () => {
  const flat = readCallTree(callOf(100n, callOf(1n), callOf(40n), callOf(30n)));
  expect(flameBoxes(flat, { ...ALL, countMax: 3 }).map(({ frame }) => frame.id)).toEqual([0, 2, 3]);
  const boxes = flameBoxes(readCallTree(SMALL), { ...ALL, depthMax: 2 });
  expect(boxes.map(({ frame }) => frame.id)).toEqual([0, 1, 3]);
});

test('behavior: calls nest as deep as they like', () => {
  let call = callOf(1n);
  for (let depth = 1; depth < 9_000; depth += 1) call = callOf(1n, call);
  const tree = readCallTree(call);
  expect(tree.frames.at(-1)).toMatchObject({ depth: 8_999, end: 9_000 });
  expect(flameBoxes(tree, ALL)).toHaveLength(9_000);
  expect(callersOf(tree.frames, 8_999)).toHaveLength(8_999);
});

test('behavior: of very many calls the first are read', () => {
  const tree = readCallTree(callOf(1n, ...Array.from({ length: 10_000 }, () => callOf(1n))));
  expect([tree.frames.length, tree.isCut]).toEqual([10_000, true]);
});

test('behavior: calls inside a collapsed call are not listed', () => {
  const { frames } = readCallTree(SMALL);
  const listed = (...open: number[]) => listedCalls(frames, new Set(open)).map(({ id }) => id);
  expect([listed(), listed(0), listed(1), listed(0, 1)]).toEqual([[0], [0, 1, 3], [0], [0, 1, 2, 3]]);
  expect(callersOf(frames, 2)).toEqual([1, 0]);
});
