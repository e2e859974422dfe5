import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallTree, Frame } from '../../client/traces.ts';
import { flameBoxes } from './flame-boxes.ts';

const ADDRESS = `0x${'00'.repeat(20)}` as const;

function treeOf(gas: readonly bigint[], parents: readonly number[]): CallTree {
  const frames = gas.map((gasUsed, id) => ({
    ...{ id, gasUsed, gas: gasUsed, type: 'CALL', from: ADDRESS, to: ADDRESS, value: 0n },
    ...{ input: '0x' as const, output: '0x' as const, error: undefined },
    depth: 0,
    calls: [] as Frame[],
  }));
  const [root, ...others] = frames;
  if (root === undefined) throw new Error('no root');
  for (const [index, frame] of others.entries()) {
    const parent = frames[(parents[index] ?? 0) % (index + 1)] ?? root;
    frame.depth = parent.depth + 1;
    parent.calls.push(frame);
  }
  return { root, frames, isCut: false };
}

test('default: calls lie side by side below their caller, as wide as their gas', () => {
  const boxes = flameBoxes(treeOf([100n, 50n, 25n, 10n], [0, 0, 1]), 0.001, 100);
  expect(boxes.map(({ frame, left, width }) => [frame.id, left, width])).toEqual([
    [0, 0, 1],
    [1, 0, 0.5],
    [3, 0, 0.1],
    [2, 0.5, 0.25],
  ]);
});

test('behavior: no box leaves its caller, whatever calls say that they used', () => {
  const gas = fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(gas, fc.array(fc.nat(), { maxLength: 40 }), (used, parents) => {
      const tree = treeOf(used, parents);
      const boxes = new Map(flameBoxes(tree, 0, 1_000).map((box) => [box.frame.id, box]));
      for (const { frame, left, width } of boxes.values()) {
        for (const { id } of frame.calls) {
          const inner = boxes.get(id);
          if (inner === undefined) continue;
          expect(inner.left).toBeGreaterThanOrEqual(left);
          expect(inner.left + inner.width).toBeLessThanOrEqual(left + width + 1e-9);
        }
      }
    }),
  );
});

test('behavior: of too many boxes the widest are kept', () => {
  const boxes = flameBoxes(treeOf([100n, 1n, 40n, 30n], [0, 0, 0]), 0, 3);
  expect(boxes.map(({ frame }) => frame.id)).toEqual([0, 2, 3]);
});
