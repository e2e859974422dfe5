import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexToBytes } from '../bytes/bytes.ts';
import { publicKeyByOpenSsl, publicKeyOf, signDigest, signInJavaScript } from './signing.ts';

const ORDER = secp256k1.Point.Fn.ORDER;

test('behavior: the native library makes the signature of the JavaScript library, for any digest and key', () => {
  const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const edge = fc.constantFrom(1n, 2n, (ORDER - 1n) / 2n, ORDER - 1n);
  const key = fc.oneof(edge, fc.bigInt({ min: 1n, max: ORDER - 1n }));
  fc.assert(
    fc.property(digest, key, (bytes, number) => {
      const privateKey = hexToBytes(number.toString(16).padStart(64, '0'));
      expect(signDigest(bytes, privateKey)).toEqual(signInJavaScript(bytes, privateKey));
    }),
    { numRuns: 200 },
  );
});

test('behavior: the native library computes the public key of OpenSSL, for any key', () => {
  const edge = fc.constantFrom(1n, 2n, ORDER - 1n);
  const form = fc.constantFrom('compressed' as const, 'uncompressed' as const);
  fc.assert(
    fc.property(fc.oneof(edge, fc.bigInt({ min: 1n, max: ORDER - 1n })), form, (number, as) => {
      const privateKey = hexToBytes(number.toString(16).padStart(64, '0'));
      expect(Buffer.from(publicKeyOf(privateKey, as))).toEqual(publicKeyByOpenSsl(privateKey, as));
    }),
    { numRuns: 50 },
  );
});
