import { p256 } from '@noble/curves/nist.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes } from '../../protocol/index.ts';
import { call, createOracle, type Oracle, word } from './precompiles.testing.ts';

const ADDRESS = 0x100;
const GAS = 6_900n;
const VALID = { gas: GAS, output: '01'.padStart(64, '0') };
const INVALID = { gas: GAS, output: '' };

const ORDER = p256.Point.Fn.ORDER;
const FIELD = p256.Point.Fp.ORDER;

let oracle: Oracle;
beforeAll(async () => {
  oracle = await createOracle('osaka');
});

interface Signed {
  readonly hash: bigint;
  readonly r: bigint;
  readonly s: bigint;
  readonly x: bigint;
  readonly y: bigint;
}

/** Signs a hash with a chosen secret and nonce. */
function sign(hash: bigint, secret: bigint, nonce: bigint): Signed {
  const { Fn } = p256.Point;
  const { x, y } = p256.Point.BASE.multiply(secret).toAffine();
  const r = Fn.create(p256.Point.BASE.multiply(nonce).toAffine().x);
  const s = Fn.mul(Fn.inv(nonce), Fn.create(hash + r * secret));
  return { hash, r, s, x, y };
}

function encode({ hash, r, s, x, y }: Signed): Uint8Array {
  return concatBytes(...[hash, r, s, x, y].map((number) => word(number)));
}

async function expectAgreement(input: Uint8Array): Promise<unknown> {
  const called = call(ADDRESS, input, 'osaka');
  expect(called, bytesToHex(input)).toEqual(await oracle(ADDRESS, input));
  return called;
}

const secret = fc.bigInt({ min: 1n, max: ORDER - 1n });
const hash = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n),
);
const signed = sign(2n ** 200n + 9n, 5n ** 90n, 7n ** 80n);

describe('p256Verify', () => {
  test('default', async () => {
    expect(await expectAgreement(encode(signed))).toEqual(VALID);
  });

  test('behavior: any signatures, with s in either half', async () => {
    await fc.assert(
      fc.asyncProperty(hash, secret, secret, async (message, key, nonce) => {
        const signature = sign(message, key, nonce);
        expect(await expectAgreement(encode(signature))).toEqual(VALID);
        expect(await expectAgreement(encode({ ...signature, s: ORDER - signature.s }))).toEqual(VALID);
      }),
      { numRuns: 25 },
    );
  });

  test('behavior: any changed bit gives no bytes', () => {
    fc.assert(
      fc.property(fc.nat(160 * 8 - 1), (bit) => {
        const input = encode(signed);
        input[bit >> 3] = (input[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(call(ADDRESS, input, 'osaka')).toEqual(INVALID);
      }),
      { numRuns: 200 },
    );
  });

  test('behavior: another length gives no bytes for the same gas', async () => {
    const input = encode(signed);
    for (const bytes of [new Uint8Array(), input.subarray(0, 159), concatBytes(input, Uint8Array.of(0))]) {
      expect(await expectAgreement(bytes)).toEqual(INVALID);
    }
  });

  test.each<[title: string, changes: Partial<Signed>]>([
    ['r zero', { r: 0n }],
    ['s zero', { s: 0n }],
    ['r the order', { r: ORDER }],
    ['s the order', { s: ORDER }],
    ['r beyond the order', { r: ORDER + 1n }],
    ['s all bits', { s: 2n ** 256n - 1n }],
    ['x the modulus', { x: FIELD }],
    ['y the modulus', { y: FIELD }],
    ['the key infinity', { x: 0n, y: 0n }],
    ['the key not on the curve', { y: signed.y ^ 1n }],
    ['the opposite key', { y: FIELD - signed.y }],
  ])('behavior: no bytes for %s', async (_, changes) => {
    expect(await expectAgreement(encode({ ...signed, ...changes }))).toEqual(INVALID);
  });

  test('behavior: a sum that is infinity gives no bytes', async () => {
    // With hash = -r secret, the two products are opposite.
    const { r, x, y } = signed;
    const opposite = ORDER - ((r * 5n ** 90n) % ORDER);
    expect(await expectAgreement(encode({ hash: opposite, r, s: 77n, x, y }))).toEqual(INVALID);
  });

  test('behavior: a sum of two equal products', async () => {
    // With hash = r and the generator for the key, both products are the same point.
    const { Fn, BASE } = p256.Point;
    const { x, y } = BASE.toAffine();
    const nonce = 12_345n;
    const r = Fn.create(BASE.multiply(nonce).toAffine().x);
    const s = Fn.mul(Fn.inv(nonce), Fn.create(r + r));
    expect(await expectAgreement(encode({ hash: r, r, s, x, y }))).toEqual(VALID);
  });

  test('behavior: x of the sum may be beyond the order', async () => {
    // For an x between order and modulus: with s = r, the sum is the key plus hash / r times the generator.
    const { Fn, Fp, BASE } = p256.Point;
    const curve = p256.Point.CURVE();
    let x = ORDER;
    let y: bigint | undefined;
    while (y === undefined) {
      x += 1n;
      try {
        y = Fp.sqrt(Fp.create(x ** 3n + curve.a * x + curve.b));
      } catch {
        // No square: the next x.
      }
    }
    const r = Fn.create(x);
    const message = 99n;
    const key = p256.Point.fromAffine({ x, y }).subtract(BASE.multiply(Fn.mul(message, Fn.inv(r))));
    expect(await expectAgreement(encode({ hash: message, r, s: r, ...key.toAffine() }))).toEqual(VALID);
  });
});
