import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexToBytes } from '../bytes/bytes.ts';
import { loadNativeRecovery, recoverInWasm } from './recovery.ts';

const ORDER = secp256k1.Point.Fn.ORDER;

const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

function word(number: bigint): Uint8Array {
  return hexToBytes(number.toString(16).padStart(64, '0'));
}

describe.skipIf(loadNativeRecovery() === undefined)('the native library', () => {
  const native = loadNativeRecovery() ?? recoverInWasm;
  /** Words next to where something changes, and any others. */
  const edge = fc.oneof(
    fc.constantFrom(1n, 2n, 5n, (ORDER - 1n) / 2n, (ORDER + 1n) / 2n, ORDER - 2n, ORDER - 1n),
    fc.constant(secp256k1.Point.BASE.x % ORDER),
    scalar,
  );
  const anyHash = fc.oneof(
    hash,
    edge.map((number) => word(number)),
    fc.constantFrom(0n, ORDER, ORDER + 1n, (1n << 256n) - 1n).map((number) => word(number)),
  );

  test('default: it finds the same key as WebAssembly, or none, for any hash, r and s', () => {
    fc.assert(
      fc.property(anyHash, edge, edge, fc.boolean(), (bytes, anyR, anyS, isOdd) => {
        const [rWord, sWord] = [word(anyR), word(anyS)];
        expect(native(bytes, rWord, sWord, isOdd)).toEqual(recoverInWasm(bytes, rWord, sWord, isOdd));
      }),
      { numRuns: 300 },
    );
  });

  test('behavior: no key if the result is the point at infinity', () => {
    const { x, y } = secp256k1.Point.BASE;
    const number = word(0x1234n);
    expect(native(number, word(x), number, (y & 1n) === 1n)).toEqual(new Uint8Array());
    expect(recoverInWasm(number, word(x), number, (y & 1n) === 1n)).toEqual(new Uint8Array());
  });
});
