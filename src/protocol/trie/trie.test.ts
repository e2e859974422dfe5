import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex, EMPTY_TRIE_ROOT, hexToBytes, keccak256, Trie } from '../index.ts';
import type { TrieChange } from './trie.ts';

/** Records by the hexadecimal form of their keys. */
type Records = Map<string, Uint8Array>;

const open = (records: Records): Trie =>
  new Trie({ prefix: Uint8Array.of(7), read: (key) => records.get(bytesToHex(key)) });

function apply(records: Records, changes: readonly TrieChange[]): void {
  for (const { key, before, after } of changes) {
    const name = bytesToHex(key);
    expect(before).toEqual(records.get(name));
    if (after === undefined) records.delete(name);
    else records.set(name, after);
  }
}

/** Keys of which many share long prefixes: all combinations of a few bytes. */
const keyArbitrary = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0xff), { minLength: 3, maxLength: 3 })
  .map((prefix) => Uint8Array.from({ length: 32 }, (_, index) => prefix[index % 3] ?? 0));

const changeArbitrary = fc.tuple(
  fc.oneof(
    keyArbitrary,
    fc.integer({ min: 0, max: 40 }).map((seed) => keccak256(Uint8Array.of(seed))),
  ),
  fc.option(fc.uint8Array({ minLength: 1, maxLength: 80 }), { nil: undefined }),
);

test('default: without keys', () => {
  expect(bytesToHex(EMPTY_TRIE_ROOT)).toBe(
    '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  );
  expect(new Trie().commit()).toEqual({ root: EMPTY_TRIE_ROOT, changes: [] });
  expect(new Trie().prove(new Uint8Array(32))).toEqual([]);
});

test('behavior: agrees with another implementation after every update, in roots, values and proofs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(changeArbitrary, { maxLength: 30 }), { maxLength: 6 }),
      async (updates) => {
        const reference = await createMPT();
        const records: Records = new Map();
        const known = new Map<string, Uint8Array | undefined>();
        for (const update of updates) {
          const trie = open(records);
          for (const [key, value] of update) {
            known.set(bytesToHex(key), value);
            trie.set(key, value);
            if (value === undefined) await reference.del(key);
            else await reference.put(key, value);
          }
          const { root, changes } = trie.commit();
          apply(records, changes);
          expect(bytesToHex(root)).toBe(bytesToHex(reference.root()));
          const stored = open(records);
          expect(stored.commit()).toEqual({ root, changes: [] });
          for (const [name, value] of known) {
            const key = hexToBytes(name);
            expect(stored.get(key)).toEqual(value);
            const proof = stored.prove(key);
            if (root !== EMPTY_TRIE_ROOT) {
              expect(await verifyMPTWithMerkleProof(reference, root, key, proof)).toEqual(value ?? null);
            }
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('behavior: records depend on the content alone', () => {
  fc.assert(
    fc.property(fc.array(changeArbitrary, { maxLength: 60 }), (updates) => {
      const records: Records = new Map();
      const content = new Map<string, Uint8Array>();
      for (const [key, value] of updates) {
        const trie = open(records);
        trie.set(key, value);
        apply(records, trie.commit().changes);
        if (value === undefined) content.delete(bytesToHex(key));
        else content.set(bytesToHex(key), value);
      }
      const atOnce = open(new Map());
      for (const [key, value] of content) atOnce.set(hexToBytes(key), value);
      const expected: Records = new Map();
      apply(expected, atOnce.commit().changes);
      expect(records).toEqual(expected);
    }),
  );
});
