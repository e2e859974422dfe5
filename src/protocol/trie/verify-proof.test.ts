import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex, EMPTY_TRIE_ROOT, keccak256, ProofError, Trie, toHash, verifyProof } from '../index.ts';

/** Keys of which many share long prefixes, so that proofs have extensions. */
const keyArbitrary = fc.oneof(
  fc
    .array(fc.constantFrom(0x00, 0x01, 0x10, 0xff), { minLength: 3, maxLength: 3 })
    .map((prefix) => Uint8Array.from({ length: 32 }, (_, index) => prefix[index % 3] ?? 0)),
  fc.integer({ min: 0, max: 40 }).map((seed) => keccak256(Uint8Array.of(seed))),
);

const contentArbitrary = fc.array(fc.tuple(keyArbitrary, fc.uint8Array({ minLength: 1, maxLength: 60 })), {
  maxLength: 40,
});

/** Makes a stored trie with this content. */
function trieOf(content: readonly (readonly [Uint8Array, Uint8Array])[]) {
  const trie = new Trie();
  for (const [key, value] of content) trie.set(key, value);
  const { root, changes } = trie.commit();
  const records = new Map<string, Uint8Array>();
  for (const { key, after } of changes) if (after !== undefined) records.set(bytesToHex(key), after);
  const stored = new Trie({ prefix: new Uint8Array(), read: (key) => records.get(bytesToHex(key)) });
  return { root, prove: (key: Uint8Array) => stored.prove(key) };
}

test('default: a trie without keys has none', () => {
  expect(verifyProof(EMPTY_TRIE_ROOT, new Uint8Array(32), [])).toBeUndefined();
});

test('behavior: proofs of our own prover show the value of each key, and the absence of others', () => {
  fc.assert(
    fc.property(contentArbitrary, fc.array(keyArbitrary, { maxLength: 10 }), (content, others) => {
      const { root, prove } = trieOf(content);
      const values = new Map(content.map(([key, value]) => [bytesToHex(key), value]));
      for (const key of [...content.map(([key]) => key), ...others]) {
        expect(verifyProof(root, key, prove(key))).toEqual(values.get(bytesToHex(key)));
      }
    }),
  );
});

test('behavior: nodes inside of nodes, which another implementation makes of short keys', async () => {
  const short = fc.uint8Array({ minLength: 2, maxLength: 2 }).map((key) => key.map((byte) => byte & 0x13));
  const content = fc.array(fc.tuple(short, fc.uint8Array({ minLength: 1, maxLength: 3 })), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(content, short, async (pairs, other) => {
      const reference = await createMPT();
      for (const [key, value] of pairs) await reference.put(key, value);
      for (const key of [...pairs.map(([key]) => key), other]) {
        const proof = await createMerkleProof(reference, key);
        const value = (await reference.get(key)) ?? undefined;
        expect(verifyProof(toHash(reference.root()), key, proof)).toEqual(value);
      }
    }),
  );
});

test('error: a proof with a changed bit, without its last node, or of another root', () => {
  fc.assert(
    fc.property(
      contentArbitrary.filter(({ length }) => length > 0),
      keyArbitrary,
      fc.nat(),
      (content, key, position) => {
        const { root, prove } = trieOf(content);
        const nodes = prove(key);
        const changed = nodes.map((node) => node.slice());
        const target = changed[position % changed.length] ?? new Uint8Array();
        const bit = position % (target.length * 8);
        target[bit >>> 3] = (target[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
        expect(() => verifyProof(root, key, changed)).toThrow(ProofError);
        expect(() => verifyProof(root, key, nodes.slice(0, -1))).toThrow(ProofError);
        expect(() => verifyProof(toHash(keccak256(root)), key, nodes)).toThrow(ProofError);
      },
    ),
  );
});

test('error: any bytes as the nodes of a root that is not trusted', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.boolean(), (bytes, isList) => {
      const node = isList
        ? Uint8Array.of(0xc0 + Math.min(bytes.length, 55), ...bytes.subarray(0, 55))
        : bytes;
      try {
        verifyProof(keccak256(node), new Uint8Array(32), [node]);
      } catch (error) {
        expect(error).toBeInstanceOf(ProofError);
      }
    }),
    { numRuns: 2_000 },
  );
});
