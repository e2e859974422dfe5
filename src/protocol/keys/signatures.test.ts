import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternBytes } from '../hashing/hashing.testing.ts';
import {
  bytesToHex,
  concatBytes,
  createKeyPair,
  type PublicKey,
  type Signature,
  toSeed,
  verifySignature,
} from '../index.ts';
import {
  type CurvePoint,
  challengeOf,
  fromLittleEndian,
  modulo,
  multipleOf,
  ORDER,
  oracle,
  Point,
  PRIME,
  SMALL_ENCODINGS,
  SMALL_POINTS,
  toLittleEndian,
} from './ed25519.testing.ts';

/** The result of our verification, after it was compared with noble's. */
function verifyBoth(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const ours = verifySignature(publicKey as PublicKey, message, signature as Signature);
  expect(ours, `${bytesToHex(publicKey)} ${bytesToHex(message)} ${bytesToHex(signature)}`).toBe(
    isSignature(publicKey, message, signature),
  );
  return ours;
}

function isSignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return oracle.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

const scalarOfKey = 0x1234_5678_9abc_def0_1234_5678_9abc_def0n ** 2n % ORDER;
const scalarOfNonce = 0xfedc_ba98_7654_3210_fedc_ba98_7654_3210n ** 2n % ORDER;
const message = patternBytes(32);
const IDENTITY = toLittleEndian(1n);
const SIGN = 2n ** 255n;

interface Parts {
  readonly publicKey: Uint8Array;
  readonly noncePoint: Uint8Array;
  readonly scalar: bigint;
}

/**
 * A signature made of a key and a nonce point with parts of small order: the equation holds but for these.
 */
function mixedSignature(keyPart: CurvePoint, noncePart: CurvePoint, signed = message): Parts {
  const publicKey = multipleOf(Point.BASE, scalarOfKey).add(keyPart).toBytes();
  const noncePoint = multipleOf(Point.BASE, scalarOfNonce).add(noncePart).toBytes();
  const challenge = challengeOf(noncePoint, publicKey, signed);
  return { publicKey, noncePoint, scalar: modulo(scalarOfNonce + challenge * scalarOfKey, ORDER) };
}

function verifyParts({ publicKey, noncePoint, scalar }: Parts, signed = message): boolean {
  return verifyBoth(publicKey, signed, concatBytes(noncePoint, toLittleEndian(scalar)));
}

/** `bytes` with one bit changed. */
function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('making', () => {
  test('default: keys and signatures match those of noble', () => {
    fc.assert(
      fc.property(bytes32, fc.uint8Array({ maxLength: 300 }), (seed, signed) => {
        const pair = createKeyPair(toSeed(seed));
        expect(bytesToHex(pair.publicKey)).toBe(bytesToHex(oracle.getPublicKey(seed)));
        const signature = pair.sign(signed);
        expect(bytesToHex(signature)).toBe(bytesToHex(oracle.sign(signed, seed)));
        expect(verifySignature(pair.publicKey, signed, signature)).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  test('behavior: messages of every length about the blocks of the hash and the pieces of the memory', () => {
    const seed = toSeed(patternBytes(32));
    const pair = createKeyPair(seed);
    const lengths = [
      0, 1, 7, 8, 39, 40, 41, 71, 72, 73, 79, 80, 81, 143, 144, 145, 960, 983, 1_023, 1_024, 1_025,
    ];
    for (const length of [...lengths, 2_047, 2_048, 2_049, 100_000]) {
      const signed = patternBytes(length);
      const signature = pair.sign(signed);
      expect(bytesToHex(signature), `${length} bytes`).toBe(bytesToHex(oracle.sign(signed, seed)));
      expect(verifyBoth(pair.publicKey, signed, signature)).toBe(true);
      expect(verifyBoth(pair.publicKey, patternBytes(length + 1), signature)).toBe(false);
    }
  });

  test('behavior: modifying the public key of a pair does not change its signatures', () => {
    const pair = createKeyPair(toSeed(patternBytes(32)));
    const signature = pair.sign(message);
    pair.publicKey.fill(0);
    expect(pair.sign(message)).toStrictEqual(signature);
  });

  test('behavior: seeds and messages may be views, and Buffers', () => {
    const seed = Buffer.from(patternBytes(40)).subarray(5, 37);
    const pair = createKeyPair(toSeed(seed));
    const expected = oracle.sign(patternBytes(90).slice(3, 80), Uint8Array.from(seed));
    seed.fill(0);
    expect(bytesToHex(pair.sign(Buffer.from(patternBytes(90)).subarray(3, 80)))).toBe(bytesToHex(expected));
  });
});

describe('verifying', () => {
  test('behavior: one changed bit of a signature, a message or a key', () => {
    const pair = createKeyPair(toSeed(patternBytes(32)));
    const signature = pair.sign(message);
    for (let bit = 0; bit < 512; bit++) {
      expect(verifyBoth(pair.publicKey, message, flipped(signature, bit))).toBe(false);
      if (bit >= 256) continue;
      expect(verifyBoth(pair.publicKey, flipped(message, bit), signature)).toBe(false);
      expect(verifyBoth(flipped(pair.publicKey, bit), message, signature)).toBe(false);
    }
  });

  test('behavior: any bytes', () => {
    fc.assert(
      fc.property(bytes32, bytes32, bytes32, (publicKey, noncePoint, scalar) => {
        verifyBoth(publicKey, message, concatBytes(noncePoint, scalar));
      }),
      { numRuns: 1_000 },
    );
  });

  test('behavior: signatures and keys of other lengths, and halves in the wrong order', () => {
    const pair = createKeyPair(toSeed(patternBytes(32)));
    const signature = pair.sign(message);
    for (const length of [0, 1, 31, 32, 33, 63]) {
      expect(verifyBoth(pair.publicKey, message, signature.slice(0, length))).toBe(false);
    }
    expect(verifyBoth(pair.publicKey, message, concatBytes(signature, Uint8Array.of(0)))).toBe(false);
    expect(verifyBoth(pair.publicKey.slice(0, 31), message, signature)).toBe(false);
    expect(verifyBoth(concatBytes(pair.publicKey, Uint8Array.of(0)), message, signature)).toBe(false);
    const swapped = concatBytes(signature.slice(32), signature.slice(0, 32));
    expect(verifyBoth(pair.publicKey, message, swapped)).toBe(false);
    for (const byte of [0, 0xff]) {
      expect(verifyBoth(pair.publicKey, message, new Uint8Array(64).fill(byte))).toBe(false);
      expect(verifyBoth(new Uint8Array(32).fill(byte), message, signature)).toBe(false);
    }
  });

  test('behavior: a scalar is taken below the order alone', () => {
    const none = Point.ZERO;
    const honest = mixedSignature(none, none);
    expect(verifyParts(honest)).toBe(true);
    for (let scalar = honest.scalar + ORDER; scalar < 2n ** 256n; scalar += ORDER) {
      expect(verifyParts({ ...honest, scalar })).toBe(false);
    }
    for (const bit of [253n, 254n, 255n]) {
      expect(verifyParts({ ...honest, scalar: honest.scalar + 2n ** bit })).toBe(false);
    }
    for (const scalar of [
      0n,
      1n,
      ORDER - 1n,
      ORDER,
      ORDER + 1n,
      2n ** 252n,
      2n ** 255n - 1n,
      2n ** 256n - 1n,
    ]) {
      expect(verifyParts({ ...honest, scalar })).toBe(false);
    }
    expect(verifyParts({ ...honest, scalar: ORDER - honest.scalar })).toBe(false);
  });

  test('behavior: parts of small order in key and nonce point do not count', () => {
    for (const keyPart of SMALL_POINTS) {
      for (const noncePart of SMALL_POINTS) {
        const mixed = mixedSignature(keyPart, noncePart);
        expect(verifyParts(mixed)).toBe(true);
        expect(verifyParts({ ...mixed, scalar: mixed.scalar - 1n })).toBe(false);
        expect(verifyParts(mixed, patternBytes(33))).toBe(false);
      }
    }
  });

  test('behavior: no signature verifies under a key of small order, in any encoding', () => {
    const noncePoints = [multipleOf(Point.BASE, scalarOfNonce).toBytes(), ...SMALL_ENCODINGS];
    for (const publicKey of SMALL_ENCODINGS) {
      for (const [index, noncePoint] of noncePoints.entries()) {
        // The equation holds for these, whatever the challenge is.
        expect(verifyParts({ publicKey, noncePoint, scalar: index === 0 ? scalarOfNonce : 0n })).toBe(false);
      }
    }
  });

  test('behavior: a nonce point of small order is accepted only in its canonical encoding', () => {
    const publicKey = multipleOf(Point.BASE, scalarOfKey).toBytes();
    const taken = SMALL_ENCODINGS.filter((noncePoint) => {
      const scalar = modulo(challengeOf(noncePoint, publicKey, message) * scalarOfKey, ORDER);
      return verifyParts({ publicKey, noncePoint, scalar });
    });
    const expected = SMALL_POINTS.map((small) => small.toHex());
    expect(new Set(taken.map(bytesToHex))).toEqual(new Set(expected));
  });

  test('behavior: points that are not encoded as numbers below the prime', () => {
    const honest = mixedSignature(Point.ZERO, Point.ZERO);
    for (let y = PRIME; y < 2n ** 255n; y++) {
      for (const sign of [0n, SIGN]) {
        const encoding = toLittleEndian(y + sign);
        expect(verifyParts({ ...honest, noncePoint: encoding })).toBe(false);
        expect(verifyParts({ ...honest, publicKey: encoding })).toBe(false);
      }
    }
  });

  test('behavior: the sign of a point', () => {
    const honest = mixedSignature(Point.ZERO, Point.ZERO);
    const negative = (bytes: Uint8Array) => flipped(bytes, 255);
    expect(verifyParts({ ...honest, publicKey: negative(honest.publicKey) })).toBe(false);
    expect(verifyParts({ ...honest, noncePoint: negative(honest.noncePoint) })).toBe(false);
    // Of the negative of both the equation holds again, with another challenge.
    const [publicKey, noncePoint] = [negative(honest.publicKey), negative(honest.noncePoint)];
    const challenge = challengeOf(noncePoint, publicKey, message);
    const scalar = modulo(-scalarOfNonce - challenge * scalarOfKey, ORDER);
    expect(verifyParts({ publicKey, noncePoint, scalar })).toBe(true);
  });

  test('behavior: thousands of signatures of every kind, whole and damaged', () => {
    const scalar = fc.bigInt(1n, ORDER - 1n);
    const small = fc.constantFrom(...SMALL_POINTS);
    const damage = fc.constantFrom('none', 'none', 'bit', 'order', 'message', 'part of the key');
    fc.assert(
      fc.property(
        fc.record({ key: scalar, nonce: scalar, keyPart: small, noncePart: small, damage, bit: fc.nat(767) }),
        fc.uint8Array({ maxLength: 100 }),
        ({ key, nonce, keyPart, noncePart, damage: kind, bit }, signed) => {
          const keyPoint = multipleOf(Point.BASE, key).add(keyPart);
          let publicKey = keyPoint.toBytes();
          const noncePoint = multipleOf(Point.BASE, nonce).add(noncePart).toBytes();
          const challenge = challengeOf(noncePoint, publicKey, signed);
          const whole = modulo(nonce + challenge * key, ORDER) + (kind === 'order' ? ORDER : 0n);
          let signature = concatBytes(noncePoint, toLittleEndian(whole));
          if (kind === 'bit') {
            const all = flipped(concatBytes(signature, publicKey), bit);
            [signature, publicKey] = [all.slice(0, 64), all.slice(64)];
          }
          // Another part of small order is another key, and so another challenge.
          if (kind === 'part of the key') publicKey = keyPoint.add(SMALL_POINTS[1] ?? Point.ZERO).toBytes();
          const checked = kind === 'message' ? concatBytes(signed, Uint8Array.of(1)) : signed;
          expect(verifyBoth(publicKey, checked, signature)).toBe(kind === 'none');
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/**
 * The cases by which Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs" (2020), table 5, tells
 * verifiers apart, made anew with our hash.
 */
describe('cases in which verifiers differ', () => {
  const smallPoint = SMALL_POINTS[1] ?? Point.ZERO;
  const keyOf = (part: CurvePoint) => multipleOf(Point.BASE, scalarOfKey).add(part).toBytes();
  const nonceOf = (part: CurvePoint) => multipleOf(Point.BASE, scalarOfNonce).add(part).toBytes();
  /** The neutral point with a y that is not below the prime, and as it ought to be. */
  const [loose, proper] = [toLittleEndian(PRIME + 1n), IDENTITY];

  /** The first message, by number, whose challenge is as wanted. */
  function messageWith(parts: Parts, isWanted: (challenge: bigint) => boolean): Uint8Array {
    for (let number = 0n; ; number++) {
      const candidate = toLittleEndian(number);
      if (isWanted(challengeOf(parts.noncePoint, parts.publicKey, candidate))) return candidate;
    }
  }

  test('behavior: 0: scalar 0, key and nonce point of small order', () => {
    const parts = { publicKey: smallPoint.toBytes(), noncePoint: smallPoint.negate().toBytes(), scalar: 0n };
    const signed = messageWith(parts, (challenge) => challenge % 8n === 1n);
    expect(verifyParts(parts, signed)).toBe(false);
  });

  test('behavior: 1: a key of small order', () => {
    const parts = { publicKey: smallPoint.toBytes(), noncePoint: nonceOf(smallPoint), scalar: scalarOfNonce };
    expect(verifyParts(parts)).toBe(false);
  });

  test('behavior: 2: a nonce point of small order, a key with such a part', () => {
    const [publicKey, noncePoint] = [keyOf(smallPoint), smallPoint.toBytes()];
    const scalar = modulo(challengeOf(noncePoint, publicKey, message) * scalarOfKey, ORDER);
    expect(verifyParts({ publicKey, noncePoint, scalar })).toBe(true);
  });

  test.each([
    ['3: parts that cancel out', (challenge: bigint) => challenge % 8n === 7n],
    ['4: parts that only the cofactor cancels', (challenge: bigint) => challenge % 8n !== 7n],
    ['5: a challenge that times 8 exceeds the order', (challenge: bigint) => challenge * 8n > ORDER],
  ])('behavior: %s', (_, isWanted) => {
    const signed = messageWith(mixedSignature(smallPoint, smallPoint), isWanted);
    expect(verifyParts(mixedSignature(smallPoint, smallPoint, signed), signed)).toBe(true);
  });

  test('behavior: 6 and 7: a scalar beyond the order, and far beyond', () => {
    const honest = mixedSignature(Point.ZERO, Point.ZERO);
    for (const multiple of [1n, 14n]) {
      expect(verifyParts({ ...honest, scalar: honest.scalar + multiple * ORDER })).toBe(false);
    }
  });

  test.each([
    ['8: a nonce point in a loose encoding, hashed as it is', loose],
    ['9: the same, hashed as it ought to be', proper],
  ])('behavior: %s', (_, hashed) => {
    const publicKey = keyOf(smallPoint);
    const scalar = modulo(challengeOf(hashed, publicKey, message) * scalarOfKey, ORDER);
    expect(verifyParts({ publicKey, noncePoint: loose, scalar })).toBe(false);
  });

  test('behavior: 10 and 11: a key in a loose encoding', () => {
    const parts = { publicKey: loose, noncePoint: nonceOf(Point.ZERO), scalar: scalarOfNonce };
    expect(verifyParts(parts)).toBe(false);
    expect(verifyParts({ ...parts, noncePoint: nonceOf(smallPoint) })).toBe(false);
  });
});

test('behavior: a key is not taken for one that was used before, whatever the first bytes of both', () => {
  const bytes = fc.constantFrom(0, 1, 255);
  const flip = fc.record({ first: bytes, second: bytes, other: fc.nat(255) });
  const pair = createKeyPair(toSeed(patternBytes(32)));
  const signature = pair.sign(message);
  fc.assert(
    fc.property(flip, ({ first, second, other }) => {
      const key = pair.publicKey.slice();
      key.set([first, second], 0);
      verifyBoth(key, message, signature);
      verifyBoth(flipped(pair.publicKey, other), message, signature);
      expect(verifyBoth(pair.publicKey, message, signature)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('behavior: no state of a message is retained', () => {
  const pair = createKeyPair(toSeed(patternBytes(32)));
  const signature = pair.sign(message);
  expect(verifySignature(pair.publicKey, patternBytes(5_000), signature)).toBe(false);
  expect(verifySignature(pair.publicKey, message, new Uint8Array(64).fill(1) as Signature)).toBe(false);
  expect(verifySignature(pair.publicKey, message, signature)).toBe(true);
  expect(fromLittleEndian(pair.sign(message))).toBe(fromLittleEndian(signature));
});
