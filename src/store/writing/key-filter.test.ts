import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Store } from '../index.ts';
import { bytes, commitOf, TestFolders } from '../store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const KEYS = Array.from({ length: 8 }, (_, index) => Uint8Array.from({ length: 21 + index }, () => index));
const changes = fc.uniqueArray(fc.tuple(fc.nat(7), fc.option(fc.nat(255), { nil: undefined })), {
  selector: ([key]) => key,
  maxLength: 4,
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('block' as const, 'patch' as const), changes }) },
  fc.record({ kind: fc.constant('revert' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('replace' as const, 'filter' as const, 'settle' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Applies a step to a store. @param other of which the chain may be taken */
function apply(store: Store, other: Store, taken: Step): void {
  const head = store.head() ?? 0;
  const stateOf = (drafts: readonly (readonly [number, number | undefined])[]) =>
    drafts.map(([index, value]) => {
      const key = KEYS[index] ?? bytes(0);
      return { key, before: store.state(key), after: value === undefined ? undefined : bytes(value) };
    });
  switch (taken.kind) {
    case 'block':
      store.commitBlock(commitOf({ number: head + 1, state: stateOf(taken.changes) }));
      return;
    case 'patch':
      store.commitPatch({
        ...{ patch: bytes(1), counts: [], accumulator: bytes(0xac, head) },
        state: stateOf(taken.changes),
      });
      return;
    case 'revert': {
      const to = head - taken.blocks;
      if (to >= 0)
        store.revertBlocks({
          to,
          logsOf: () => [],
          onChange: () => undefined,
          accumulator: () => bytes(0xac, to),
        });
      return;
    }
    case 'replace':
      store.replaceChain(other);
      return;
    case 'filter':
      store.filterState();
      return;
    case 'settle':
      store.settle();
  }
}

test.each([undefined, 'always', 'together'] as const)(
  'behavior: a store that filters its state has the entries of one that does not (writesLater: %s)',
  async (writesLater) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const other = folders.open();
        other.commitBlock(
          commitOf({ number: 0, state: [{ key: bytes(9), before: undefined, after: bytes(9) }] }),
        );
        const [plain, filtered] = [folders.open({ writesLater }), folders.open({ writesLater })];
        for (const store of [plain, filtered]) {
          const [key = bytes(0)] = KEYS;
          store.commitBlock(commitOf({ number: 0, state: [{ key, before: undefined, after: bytes(1) }] }));
        }
        filtered.filterState();
        for (const taken of steps) {
          if (taken.kind !== 'filter') apply(plain, other, taken);
          apply(filtered, other, taken);
          for (const key of [...KEYS, bytes(9), bytes(8)])
            expect(filtered.state(key)).toEqual(plain.state(key));
        }
        await folders.clean();
      }),
      { numRuns: 40 },
    );
  },
);
