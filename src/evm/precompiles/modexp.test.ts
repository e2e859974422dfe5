import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MODEXP_BYTES_MAX } from '../../consensus.ts';
import { concatBytes } from '../../protocol/index.ts';
import type { Hardfork } from '../hardfork.ts';
import { call, createOracle, type Oracle, outputOf, word } from './precompiles.testing.ts';
import { precompileAt } from './registry.ts';

function input(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array {
  return concatBytes(header(base.length, exponent.length, modulus.length), base, exponent, modulus);
}

function header(base: number | bigint, exponent: number | bigint, modulus: number | bigint): Uint8Array {
  return concatBytes(word(BigInt(base)), word(BigInt(exponent)), word(BigInt(modulus)));
}

function gasOf(bytes: Uint8Array, hardfork: Hardfork = 'cancun'): bigint | undefined {
  return precompileAt(5, hardfork)?.gas(bytes);
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** Squares and multiplies from the last bit on, unlike the contract. */
function referencePower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let power = 1n % modulus;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) power = (power * square) % modulus;
    square = (square * square) % modulus;
  }
  return power;
}

function reference(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): string {
  const divisor = toNumber(modulus);
  const power = divisor === 0n ? 0n : referencePower(toNumber(base), toNumber(exponent), divisor);
  return modulus.length === 0 ? '' : power.toString(16).padStart(2 * modulus.length, '0');
}

const number = fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ maxLength: 8 }));
const EIP_198_MODULUS = 2n ** 256n - 2n ** 32n - 977n;

let oracle: Oracle;
beforeAll(async () => {
  oracle = await createOracle();
});

test('default', () => {
  const bytes = input(Uint8Array.of(3), word(EIP_198_MODULUS - 1n), word(EIP_198_MODULUS));
  expect(call(5, bytes)).toEqual({ gas: 1_360n, output: '01'.padStart(64, '0') });
});

test('behavior: the examples of EIP-198', () => {
  expect(outputOf(5, input(Uint8Array.of(), word(EIP_198_MODULUS - 1n), word(EIP_198_MODULUS)))).toBe(
    '00'.repeat(32),
  );
  // 3 to the power of 0xffff modulo 2^255, with a byte too many and then with the zeros left out.
  const power = '3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaab';
  const long = concatBytes(
    header(1, 2, 32),
    Uint8Array.of(3, 255, 255, 128),
    new Uint8Array(31),
    Uint8Array.of(7),
  );
  expect(outputOf(5, long)).toBe(power);
  expect(outputOf(5, long.subarray(0, 100))).toBe(power);
});

test('behavior: the gas of EIP-2565', () => {
  const prices: [bytes: number, exponent: Uint8Array, gas: bigint][] = [
    [64, Uint8Array.of(2), 200n],
    [64, Uint8Array.of(1, 0, 1), 341n],
    [128, Uint8Array.of(3), 200n],
    [128, Uint8Array.of(1, 0, 1), 1_365n],
    [256, Uint8Array.of(2), 341n],
    [256, Uint8Array.of(1, 0, 1), 5_461n],
    [512, Uint8Array.of(3), 1_365n],
    [512, Uint8Array.of(1, 0, 1), 21_845n],
    [1_024, Uint8Array.of(2), 5_461n],
    [1_024, Uint8Array.of(1, 0, 1), 87_381n],
  ];
  for (const [length, exponent, gas] of prices) {
    const operand = new Uint8Array(length).fill(255);
    expect(gasOf(input(operand, exponent, operand)), `${length} bytes`).toBe(gas);
  }
});

test('behavior: any numbers agree with the definition', () => {
  fc.assert(
    fc.property(number, number, number, (base, exponent, modulus) => {
      expect(outputOf(5, input(base, exponent, modulus))).toBe(reference(base, exponent, modulus));
    }),
    { numRuns: 300 },
  );
});

test('behavior: any lengths and any cut agree with another implementation', async () => {
  const cut = fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40), fc.uint8Array({ maxLength: 130 }));
  await fc.assert(
    fc.asyncProperty(cut, async ([base, exponent, modulus, body]) => {
      const bytes = concatBytes(header(base, exponent, modulus), body);
      expect(call(5, bytes)).toEqual(await oracle(5, bytes));
      const start = bytes.subarray(0, body.length);
      if (start.length < 96) expect(call(5, start)).toEqual(await oracle(5, start));
    }),
  );
});

test('behavior: numbers of no bytes', () => {
  const none = new Uint8Array();
  const one = Uint8Array.of(1);
  const seven = Uint8Array.of(7);
  expect(outputOf(5, input(none, none, none))).toBe('');
  expect(outputOf(5, input(seven, seven, none))).toBe('');
  expect(outputOf(5, input(none, none, seven))).toBe('01');
  expect(outputOf(5, input(none, none, one))).toBe('00');
  expect(outputOf(5, input(none, seven, seven))).toBe('00');
  expect(outputOf(5, input(one, none, seven))).toBe('01');
});

test('behavior: modulus 0 and 1 give 0 in the length of the modulus', () => {
  for (const modulus of [0n, 1n]) {
    expect(outputOf(5, input(Uint8Array.of(5), Uint8Array.of(3), word(modulus)))).toBe('00'.repeat(32));
    expect(outputOf(5, input(Uint8Array.of(5), new Uint8Array(), word(modulus, 3)))).toBe('000000');
  }
});

test('behavior: numbers beyond the input are 0, and so is the result for a modulus there', () => {
  expect(outputOf(5, concatBytes(header(1, 100_000, 1), Uint8Array.of(3, 5)))).toBe('00');
  expect(outputOf(5, header(2n ** 60n, 2n ** 60n, 2))).toBe('0000');
  // The modulus 0x07 continues with a zero byte: 3 to the power of 5 modulo 0x0700.
  expect(outputOf(5, concatBytes(header(1, 1, 2), Uint8Array.of(3, 5, 7)))).toBe('00f3');
});

test('behavior: a long exponent', () => {
  const exponent = concatBytes(new Uint8Array(100), Uint8Array.of(5), new Uint8Array(4_000));
  const modulus = Uint8Array.of(1, 1);
  expect(outputOf(5, input(Uint8Array.of(3), exponent, modulus))).toBe(
    reference(Uint8Array.of(3), exponent, modulus),
  );
});

test('behavior: huge declared lengths cost more than any gas limit and allocate no memory', () => {
  const most = 2n ** 256n - 1n;
  for (const [base, exponent, modulus] of [
    [most, 0n, 0n],
    [0n, 1n, most],
    [most, most, most],
    [2n ** 64n, 1n, 1n],
    [1n, 2n ** 64n, 1n],
  ] as const) {
    expect(gasOf(header(base, exponent, modulus))).toBeGreaterThan(10n ** 18n);
  }
  expect(call(5, header(most, most, most))).toBe('failure');
  expect(call(5, header(most, most, 3n))).toMatchObject({ output: '000000' });
});

test('behavior: no base and no modulus cost the minimum, with any exponent', () => {
  expect(call(5, header(0n, 2n ** 256n - 1n, 0n))).toEqual({ gas: 200n, output: '' });
});

test('behavior: the gas depends on the first 32 bytes of the exponent', () => {
  const zerosFirst = concatBytes(new Uint8Array(32), Uint8Array.of(255));
  const operand = new Uint8Array(256).fill(255);
  // 1,024 times 8 bits for the one byte past 32, divided by 3.
  expect(gasOf(input(operand, zerosFirst, operand))).toBe(2_730n);
  const oneFirst = concatBytes(Uint8Array.of(128), new Uint8Array(32));
  expect(gasOf(input(operand, oneFirst, operand))).toBe((1_024n * (8n + 255n)) / 3n);
});

test('behavior: any moduli below 2^64, odd and even, agree with the definition', () => {
  const limb = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(63)).map(([odd, twos]) => {
      return BigInt.asUintN(64, (odd | 1n) << BigInt(twos));
    }),
    fc.nat(64).map((bits) => 2n ** BigInt(bits)),
    fc.bigInt({ min: 2n ** 64n - 40n, max: 2n ** 64n + 40n }),
  );
  fc.assert(
    fc.property(number, number, limb, (base, exponent, modulus) => {
      const divisor = word(modulus, 9);
      expect(outputOf(5, input(base, exponent, divisor))).toBe(reference(base, exponent, divisor));
    }),
    { numRuns: 500 },
  );
});

test('behavior: an exponent of many pieces modulo a number below 2^64', () => {
  const exponent = Uint8Array.from({ length: 10_000 }, (_, index) => (index * 37) % 251);
  for (const modulus of [word(2n ** 63n + 12n, 8), word(2n ** 64n - 59n, 8)]) {
    const bytes = input(Uint8Array.of(7, 7), exponent, modulus);
    expect(outputOf(5, bytes)).toBe(reference(Uint8Array.of(7, 7), exponent, modulus));
  }
});

describe('from Osaka on', () => {
  test('behavior: the gas of EIP-7883', () => {
    const prices: [bytes: number, exponent: Uint8Array, gas: bigint][] = [
      [1, Uint8Array.of(3), 500n],
      [32, new Uint8Array(32).fill(255), 16n * 255n],
      [32, new Uint8Array(33).fill(255), 16n * (255n + 16n)],
      [33, new Uint8Array(32).fill(255), 2n * 25n * 255n],
      [64, Uint8Array.of(1, 0, 1), 2_048n],
      [1_024, Uint8Array.of(2), 32_768n],
      [1_024, new Uint8Array(1_024).fill(255), 2n * 128n * 128n * (255n + 992n * 16n)],
    ];
    for (const [length, exponent, gas] of prices) {
      const operand = new Uint8Array(length).fill(255);
      expect(gasOf(input(operand, exponent, operand), 'osaka'), `${length} bytes`).toBe(gas);
    }
  });

  test('behavior: a longer number than 1,024 bytes fails (EIP-7823)', () => {
    const one = Uint8Array.of(1);
    const [most, more] = [new Uint8Array(MODEXP_BYTES_MAX), new Uint8Array(MODEXP_BYTES_MAX + 1)];
    expect(call(5, input(most, most, most), 'osaka')).not.toBe('failure');
    for (const bytes of [input(more, one, one), input(one, more, one), input(one, one, more)]) {
      expect(call(5, bytes, 'osaka')).toBe('failure');
      expect(call(5, bytes, 'prague')).not.toBe('failure');
    }
    expect(call(5, header(0n, 2n ** 256n - 1n, 0n), 'osaka')).toBe('failure');
  });

  test('behavior: any lengths and any cut agree with another implementation', async () => {
    const osaka = await createOracle('osaka');
    const length = fc.oneof(fc.nat(40), fc.integer({ min: 1_020, max: 1_028 }));
    const cut = fc.tuple(length, length, length, fc.uint8Array({ maxLength: 130 }));
    await fc.assert(
      fc.asyncProperty(cut, async ([base, exponent, modulus, body]) => {
        const bytes = concatBytes(header(base, exponent, modulus), body);
        expect(call(5, bytes, 'osaka')).toEqual(await osaka(5, bytes));
      }),
    );
  });
});
