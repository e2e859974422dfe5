import { compareBytes } from '../../protocol/index.ts';
import type { StateEntry } from '../store.ts';

/** Another value of an entry; undefined removes it. */
interface ReplacedEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Yields entries in the order of their keys, some of them replaced. @param entries in that order */
export function* mergedEntries(
  entries: Iterable<StateEntry>,
  replaced: readonly ReplacedEntry[],
): Generator<StateEntry> {
  const sorted = replaced.toSorted((left, right) => compareBytes(left.key, right.key));
  let next = 0;
  const upTo = function* (key: Uint8Array | undefined): Generator<StateEntry> {
    for (; next < sorted.length; next += 1) {
      const entry = sorted[next];
      if (entry === undefined || (key !== undefined && compareBytes(entry.key, key) > 0)) return;
      if (entry.value !== undefined) yield { key: entry.key, value: entry.value };
    }
  };
  for (const entry of entries) {
    yield* upTo(entry.key);
    const last = sorted[next - 1];
    if (last === undefined || compareBytes(last.key, entry.key) !== 0) yield entry;
  }
  yield* upTo(undefined);
}
