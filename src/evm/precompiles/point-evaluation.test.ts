import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes, sha256 } from '../../protocol/index.ts';
import { ORDER, strayPoint1 } from './bls12-381.testing.ts';
import { setupPoint } from './kzg.testing.ts';
import { call, createOracle, type Oracle, word } from './precompiles.testing.ts';

const ADDRESS = 10;
const G1 = bls12_381.G1.Point;
const INFINITY = Uint8Array.of(0xc0, ...new Uint8Array(47));
const ANSWER =
  '0000000000000000000000000000000000000000000000000000000000001000' +
  '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001';

let oracle: Oracle;
beforeAll(async () => {
  oracle = await createOracle('cancun');
});

/** The commitment to a polynomial, with the constant as the first coefficient. */
function commit(coefficients: readonly bigint[]): typeof G1.BASE {
  const terms = coefficients.map((coefficient, power) => setupPoint('g1', power).multiplyUnsafe(coefficient));
  return terms.reduce((sum, term) => sum.add(term), G1.ZERO);
}

interface Proof {
  readonly z: bigint;
  readonly y: bigint;
  readonly commitment: Uint8Array;
  readonly proof: Uint8Array;
}

/** The proof that a polynomial has its value at z: the quotient of p(x) - p(z) and x - z, by Horner's rule. */
function prove(coefficients: readonly bigint[], z: bigint): Proof {
  const quotient: bigint[] = [];
  let value = 0n;
  for (const coefficient of coefficients.toReversed()) {
    quotient.unshift(value);
    value = (value * z + coefficient) % ORDER;
  }
  const proof = commit(quotient.slice(0, -1)).toBytes();
  return { z, y: value, commitment: commit(coefficients).toBytes(), proof };
}

/** One of the two points with this x, in any group. */
function compressed(x: bigint): Uint8Array {
  const bytes = word(x, 48);
  bytes[0] = (bytes[0] ?? 0) | 0x80;
  return bytes;
}

function versionedHash(commitment: Uint8Array): Uint8Array {
  return Uint8Array.of(1, ...sha256(commitment).subarray(1));
}

function encode({ z, y, commitment, proof }: Proof): Uint8Array {
  return concatBytes(versionedHash(commitment), word(z), word(y), commitment, proof);
}

async function expectAgreement(input: Uint8Array): Promise<unknown> {
  const called = call(ADDRESS, input, 'cancun');
  expect(called, bytesToHex(input)).toEqual(await oracle(ADDRESS, input));
  return called;
}

const valid = prove([3n, 1n, 4n, 1n, 5n], 7n);

describe('pointEvaluation', () => {
  test('default', async () => {
    expect(await expectAgreement(encode(valid))).toEqual({ gas: 50_000n, output: ANSWER });
  });

  test('behavior: values of any polynomials are proven, and no others', async () => {
    const number = fc.oneof(fc.bigInt({ min: 0n, max: ORDER - 1n }), fc.constantFrom(0n, 1n, ORDER - 1n));
    const polynomial = fc.array(number, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(polynomial, number, fc.nat(2), async (coefficients, z, error) => {
        const proof = prove(coefficients, z);
        const claimed = { ...proof, y: (proof.y + BigInt(error)) % ORDER };
        const called = await expectAgreement(encode(claimed));
        if (error === 0) expect(called).toEqual({ gas: 50_000n, output: ANSWER });
        else expect(called).toBe('failure');
      }),
      { numRuns: 8 },
    );
  });

  test('behavior: a constant has infinity for its proof, and zero for its commitment too', async () => {
    expect(prove([5n], 9n).proof).toEqual(INFINITY);
    expect(await expectAgreement(encode(prove([5n], 9n)))).not.toBe('failure');
    expect(prove([0n], 9n).commitment).toEqual(INFINITY);
    expect(await expectAgreement(encode(prove([0n], 9n)))).not.toBe('failure');
    expect(await expectAgreement(encode({ ...prove([5n], 9n), y: 6n }))).toBe('failure');
  });

  test('behavior: the output is a copy', () => {
    const first = call(ADDRESS, encode(valid), 'cancun');
    expect(call(ADDRESS, encode(valid), 'cancun')).toEqual(first);
  });
});

describe('rejected inputs', () => {
  test('error: another length', async () => {
    const input = encode(valid);
    for (const bytes of [new Uint8Array(), input.subarray(0, 191), concatBytes(input, Uint8Array.of(0))]) {
      expect(await expectAgreement(bytes)).toBe('failure');
    }
  });

  test('error: a versioned hash that does not match the commitment', async () => {
    for (const at of [0, 1, 31]) {
      const input = encode(valid);
      input[at] = (input[at] ?? 0) ^ 1;
      expect(await expectAgreement(input)).toBe('failure');
    }
  });

  test('error: numbers that are not below the order', async () => {
    const constant = prove([5n], 9n);
    expect(await expectAgreement(encode({ ...constant, z: ORDER + 9n }))).toBe('failure');
    expect(await expectAgreement(encode({ ...constant, y: ORDER + 5n }))).toBe('failure');
    expect(await expectAgreement(encode({ ...constant, z: ORDER }))).toBe('failure');
    expect(await expectAgreement(encode({ ...constant, z: ORDER - 1n }))).not.toBe('failure');
  });

  const generator = G1.BASE.toBytes();
  const changed = (index: number, change: (byte: number) => number): Uint8Array =>
    generator.map((byte, at) => (at === index ? change(byte) : byte));
  test.each<[title: string, point: Uint8Array]>([
    ['not marked as compressed', changed(0, (byte) => byte & 0x7f)],
    ['marked as infinity', changed(0, (byte) => byte | 0x40)],
    ['the opposite', changed(0, (byte) => byte ^ 0x20)],
    ['no point of the curve', Uint8Array.of(0x80, ...new Uint8Array(46), 1)],
    ['a coordinate beyond the modulus', new Uint8Array(48).fill(0x9f)],
    ['the modulus', hexToBytes(`9a${bls12_381.fields.Fp.ORDER.toString(16).slice(2)}`)],
    ['infinity and greater', Uint8Array.of(0xe0, ...new Uint8Array(47))],
    ['infinity and more', Uint8Array.of(0xc0, ...new Uint8Array(46), 1)],
    ['infinity, not compressed', Uint8Array.of(0x40, ...new Uint8Array(47))],
    ['all zeros', new Uint8Array(48)],
    ['outside the subgroup', compressed(strayPoint1(5n).toAffine().x)],
  ])('error: as commitment or proof, a point: %s', async (_, point) => {
    expect(await expectAgreement(encode({ ...valid, commitment: point }))).toBe('failure');
    expect(await expectAgreement(encode({ ...valid, proof: point }))).toBe('failure');
  });
});
