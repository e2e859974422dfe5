import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPublicKey } from '../bytes/bytes.ts';
import {
  createKeyPair,
  FormatError,
  formatPublicKey,
  formatWif,
  hexToBytes,
  type PublicKey,
  parsePublicKey,
  type Signature,
  toSeed,
  toSignature,
  verifySignature,
} from '../index.ts';
import vectors from '../native-vectors.testing.json' with { type: 'json' };
import { parseWif } from './keys.ts';

const seed = toSeed(new Uint8Array(32).fill(7));
const keys = createKeyPair(seed);
const message = new Uint8Array(32).fill(9);
const signature = keys.sign(message);

function flipped<T extends Uint8Array>(bytes: T, index: number): T {
  const copy = bytes.slice() as T;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}

test('default: a signature verifies, and is the same each time', () => {
  expect(verifySignature(keys.publicKey, message, signature)).toBe(true);
  expect(keys.sign(message)).toStrictEqual(signature);
});

test('behavior: any changed bit of message, signature or key is refused', () => {
  fc.assert(
    fc.property(fc.nat(31), fc.nat(63), (index, place) => {
      expect(verifySignature(keys.publicKey, flipped(message, index), signature)).toBe(false);
      expect(verifySignature(keys.publicKey, message, flipped(signature, place))).toBe(false);
      expect(verifySignature(flipped(keys.publicKey, index), message, signature)).toBe(false);
    }),
    { numRuns: 30 },
  );
});

test('behavior: malformed keys and signatures are no signatures', () => {
  const short = new Uint8Array(31) as PublicKey;
  expect(verifySignature(short, message, signature)).toBe(false);
  expect(verifySignature(keys.publicKey, message, new Uint8Array(63) as Signature)).toBe(false);
  expect(verifySignature(toPublicKey(new Uint8Array(32).fill(255)), message, signature)).toBe(false);
  // The scalar plus the order of the group: the same modulo the order, so that a lax check would take it.
  const order = hexToBytes('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
  const malleated = toSignature(signature.slice());
  let carry = 0;
  for (const [index, byte] of order.entries()) {
    carry += byte + (signature[32 + index] ?? 0);
    malleated[32 + index] = carry & 0xff;
    carry >>= 8;
  }
  expect(verifySignature(keys.publicKey, message, malleated)).toBe(false);
});

test.each<[what: string, key: string]>([
  ['the identity', `01${'00'.repeat(31)}`],
  ['the identity in another encoding', `ee${'ff'.repeat(30)}7f`],
])('behavior: %s as a key signs nothing', (_, key) => {
  // Where such a key were taken, this would be a signature of every message.
  const universal = toSignature(hexToBytes(`01${'00'.repeat(63)}`));
  expect(verifySignature(toPublicKey(hexToBytes(key)), message, universal)).toBe(false);
});

test('behavior: the pair has a copy of the seed', () => {
  const mine = toSeed(new Uint8Array(32).fill(7));
  const pair = createKeyPair(mine);
  mine.fill(0);
  expect(pair.sign(message)).toStrictEqual(signature);
});

test('error: a seed of another length', () => {
  expect(() => createKeyPair(new Uint8Array(31) as typeof seed)).toThrow(FormatError);
});

test('behavior: keys survive a round trip through their text forms', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(parsePublicKey(formatPublicKey(toPublicKey(bytes)))).toEqual(bytes);
      expect(parseWif(formatWif(toSeed(bytes)))).toEqual(bytes);
    }),
  );
});

test.each([
  '',
  'ECHO',
  'ECHOx',
  'BTS5tDyiPPzsQTo1VL3hWGG7KsaZXenfmKB9NXCrajw8nYA',
  'ECHO5tDyiPPzsQTo1VL3hWGG7KsaZXenfmKB9NXCrajw8nYA1',
])('error: public key %j', (text) => {
  expect(() => parsePublicKey(text, 'activeKey')).toThrow(/^activeKey: /);
});

test('error: private keys that are none, without repeating them', () => {
  const wif = vectors.keys[0]?.wif ?? '';
  const changed = `${wif.slice(0, -1)}${wif.endsWith('n') ? 'm' : 'n'}`;
  for (const text of [changed, wif.slice(1), `${wif}1`, '']) {
    expect(() => parseWif(text)).toThrow(FormatError);
    expect(() => parseWif(text)).not.toThrow(text === '' ? 'nothing to repeat' : text);
  }
});
