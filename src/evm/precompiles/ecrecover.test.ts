import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes, keccak256 } from '../../protocol/index.ts';
import { call, outputOf, word } from './precompiles.testing.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

interface Signed {
  readonly r: bigint;
  readonly s: bigint;
  readonly v: bigint;
  readonly address: string;
}

function sign(digest: Uint8Array, key: bigint): Signed {
  const secret = word(key);
  const bytes = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered');
  const address = bytesToHex(keccak256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12));
  return { r, s, v: 27n + BigInt(recovery), address: `${'00'.repeat(12)}${address}` };
}

function input(digest: Uint8Array, v: bigint, r: bigint, s: bigint): Uint8Array {
  return concatBytes(digest, word(v), word(r), word(s));
}

const digest = keccak256(hexToBytes('c0ffee'));
const signed = sign(digest, 0x1234567890abcdefn);
const { r, s, v } = signed;

test('default', () => {
  expect(call(1, input(digest, v, r, s))).toEqual({ gas: 3_000n, output: signed.address });
});

test('behavior: the vector of go-ethereum', () => {
  const vector = concatBytes(
    hexToBytes('18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c'),
    word(28n),
    hexToBytes('73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f'),
    hexToBytes('eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549'),
  );
  expect(outputOf(1, vector)).toBe('000000000000000000000000a94f5374fce5edbc8e2a8697c15331677e6ebf0b');
});

test('behavior: finds the signer of any signature', () => {
  fc.assert(
    fc.property(hash, scalar, (bytes, key) => {
      const one = sign(bytes, key);
      expect(outputOf(1, input(bytes, one.v, one.r, one.s))).toBe(one.address);
      // The mirrored signature, with s in the upper half, is the same signer's.
      expect(outputOf(1, input(bytes, 55n - one.v, one.r, ORDER - one.s))).toBe(one.address);
    }),
    { numRuns: 25 },
  );
});

test('behavior: any r and s agree with another implementation', () => {
  fc.assert(
    fc.property(hash, scalar, scalar, fc.constantFrom(27n, 28n), (bytes, anyR, anyS, anyV) => {
      expect(outputOf(1, input(bytes, anyV, anyR, anyS))).toBe(recoverReference(bytes, anyV, anyR, anyS));
    }),
    { numRuns: 50 },
  );
});

function recoverReference(bytes: Uint8Array, anyV: bigint, anyR: bigint, anyS: bigint): string {
  try {
    const signature = new secp256k1.Signature(anyR, anyS, Number(anyV - 27n));
    const key = signature.recoverPublicKey(bytes).toBytes(false);
    return `${'00'.repeat(12)}${bytesToHex(keccak256(key.subarray(1)).subarray(12))}`;
  } catch {
    return '';
  }
}

test('behavior: a malformed v gives no bytes', () => {
  for (const bad of [0n, 1n, 26n, 29n, 30n, v + 256n, v + (1n << 248n), v << 8n, (1n << 256n) - 1n]) {
    expect(call(1, input(digest, bad, r, s)), `${bad}`).toEqual({ gas: 3_000n, output: '' });
  }
});

test('behavior: r and s out of range give no bytes', () => {
  for (const bad of [0n, ORDER, ORDER + 1n, (1n << 256n) - 1n]) {
    expect(outputOf(1, input(digest, v, bad, s)), `r = ${bad}`).toBe('');
    expect(outputOf(1, input(digest, v, r, bad)), `s = ${bad}`).toBe('');
  }
});

test('behavior: r that is no coordinate of the curve gives no bytes', () => {
  // 5 cubed plus 7 is not a square of the field.
  expect(outputOf(1, input(digest, 27n, 5n, 1n))).toBe('');
});

test('behavior: a signature with infinity as its key gives no bytes', () => {
  // With r the coordinate of the generator and s equal to the hash, the key is (s G - hash G) / r.
  const { x, y } = secp256k1.Point.BASE;
  const anyHash = 0x1234n;
  expect(outputOf(1, input(word(anyHash), 27n + (y & 1n), x, anyHash))).toBe('');
});

test('behavior: a short input is padded with zeros, a long one cut', () => {
  const whole = input(digest, v, r, s);
  expect(outputOf(1, concatBytes(whole, hexToBytes('ff')))).toBe(signed.address);
  expect(outputOf(1, whole.subarray(0, 127))).not.toBe(signed.address);
  const zeroEnd = input(digest, v, r, s & ~0xffn);
  expect(outputOf(1, zeroEnd.subarray(0, 127))).toBe(outputOf(1, zeroEnd));
});
