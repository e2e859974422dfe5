import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invariant } from '../../protocol/index.ts';

const WORD_BITS = 256;
const MODULUS = 1n << 256n;
const WORD_MAX = MODULUS - 1n;
/** Address of the tests' words, above the module's static data. */
const WORDS_OFFSET = 0x4000;
const WORD_BYTES = 32;

type WordFunction = (...pointers: number[]) => number;

interface WordsModule {
  readonly memory: WebAssembly.Memory;
  readonly functions: ReadonlyMap<string, WordFunction>;
}

const words = loadWords();

function loadWords(): WordsModule {
  const file = readFileSync(new URL('../../../build/words.wasm', import.meta.url));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(file), {});
  const functions = new Map<string, WordFunction>();
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value === 'function') functions.set(name, value as WordFunction);
  }
  return { memory: exports.memory as WebAssembly.Memory, functions };
}

function callWords(name: string, ...pointers: number[]): number {
  const target = words.functions.get(name);
  invariant(target, `build/words.wasm exports ${name}`);
  return target(...pointers);
}

/** Pointer of the word at a position of the tests' memory. */
function pointerOf(position: number): number {
  return WORDS_OFFSET + WORD_BYTES * position;
}

function writeWord(pointer: number, value: bigint): void {
  const view = new DataView(words.memory.buffer);
  for (let limb = 0; limb < 4; limb += 1) {
    view.setBigUint64(pointer + 8 * limb, BigInt.asUintN(64, value >> BigInt(64 * limb)), true);
  }
}

function readWord(pointer: number, limbs = 4): bigint {
  const view = new DataView(words.memory.buffer);
  let value = 0n;
  for (let limb = limbs - 1; limb >= 0; limb -= 1) {
    value = (value << 64n) | view.getBigUint64(pointer + 8 * limb, true);
  }
  return value;
}

/** Writes the operands, runs the operation with its result at a position and returns the result. */
function run(name: string, operands: readonly bigint[], resultPosition: number): bigint {
  operands.forEach((operand, position) => {
    writeWord(pointerOf(position), operand);
  });
  const pointers = operands.map((_, position) => pointerOf(position));
  callWords(name, pointerOf(resultPosition), ...pointers);
  return readWord(pointerOf(resultPosition));
}

/** Runs a comparison or another function of words that returns a number. */
function ask(name: string, operands: readonly bigint[]): number {
  operands.forEach((operand, position) => {
    writeWord(pointerOf(position), operand);
  });
  return callWords(name, ...operands.map((_, position) => pointerOf(position)));
}

const signed = (value: bigint): bigint => BigInt.asIntN(WORD_BITS, value);
const unsigned = (value: bigint): bigint => BigInt.asUintN(WORD_BITS, value);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let bits = exponent; bits > 0n; bits >>= 1n) {
    if (bits & 1n) result = unsigned(result * square);
    square = unsigned(square * square);
  }
  return result;
}

function reverseWord(value: bigint): bigint {
  const bytes = value.toString(16).padStart(64, '0').match(/../g) ?? [];
  return BigInt(`0x${bytes.reverse().join('')}`);
}

/** The definition of every operation, on BigInt. */
const definitions: Readonly<Record<string, (...operands: readonly [bigint, bigint, bigint]) => bigint>> = {
  add: (a, b) => unsigned(a + b),
  subtract: (a, b) => unsigned(a - b),
  multiply: (a, b) => unsigned(a * b),
  divide: (a, b) => (b === 0n ? 0n : a / b),
  modulo: (a, b) => (b === 0n ? 0n : a % b),
  signedDivide: (a, b) => (b === 0n ? 0n : unsigned(signed(a) / signed(b))),
  signedModulo: (a, b) => (b === 0n ? 0n : unsigned(signed(a) % signed(b))),
  bitwiseAnd: (a, b) => a & b,
  bitwiseOr: (a, b) => a | b,
  bitwiseXor: (a, b) => a ^ b,
};

const ternaryDefinitions: typeof definitions = {
  addModulo: (a, b, modulus) => (modulus === 0n ? 0n : (a + b) % modulus),
  multiplyModulo: (a, b, modulus) => (modulus === 0n ? 0n : (a * b) % modulus),
};

const unaryDefinitions: typeof definitions = {
  copyWord: (a) => a,
  bitwiseNot: (a) => a ^ WORD_MAX,
  negate: (a) => unsigned(-a),
  reverseBytes: (a) => reverseWord(a),
};

/** Operations with a position or an amount as the first operand. */
const positionDefinitions: typeof definitions = {
  shiftLeft: (shift, value) => (shift >= 256n ? 0n : unsigned(value << shift)),
  shiftRight: (shift, value) => (shift >= 256n ? 0n : value >> shift),
  shiftRightArithmetic: (shift, value) => unsigned(signed(value) >> (shift >= 256n ? 256n : shift)),
  signExtend: (index, value) =>
    index >= 31n ? value : unsigned(BigInt.asIntN(Number(index) * 8 + 8, value)),
  byteAt: (index, value) => (index >= 32n ? 0n : (value >> (8n * (31n - index))) & 0xffn),
};

/**
 * A word of eight limbs, each of them likely to be at an edge: equal limbs, carries and long runs of bits.
 */
const limbWord = fc
  .array(
    fc.oneof(
      fc.constantFrom(0n, 1n, 0x7fffffffn, 0x80000000n, 0x80000001n, 0xfffffffen, 0xffffffffn),
      fc.bigInt({ min: 0n, max: 0xffffffffn }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((limbs) => limbs.reduce((value, limb) => (value << 32n) | limb, 0n));

/** 2^k - 1, 2^k or 2^k + 1. */
const powerOfTwo = fc
  .tuple(fc.bigInt({ min: 0n, max: 256n }), fc.constantFrom(-1n, 0n, 1n))
  .map(([exponent, offset]) => unsigned((1n << exponent) + offset));

const word = fc.oneof(
  { weight: 3, arbitrary: limbWord },
  { weight: 2, arbitrary: powerOfTwo },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: WORD_MAX }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 2n, WORD_MAX, WORD_MAX - 1n, 1n << 255n) },
);

const position = fc.oneof(fc.bigInt({ min: 0n, max: 260n }), word);

/** Checks an operation with its result in a separate word and in each operand. */
function checkAgainst(
  name: string,
  operands: readonly bigint[],
  definition: (...operands: readonly [bigint, bigint, bigint]) => bigint,
): void {
  const [a = 0n, b = 0n, c = 0n] = operands;
  const expected = definition(a, b, c);
  for (let resultPosition = 0; resultPosition <= operands.length; resultPosition += 1) {
    expect(run(name, operands, resultPosition)).toBe(expected);
  }
}

describe.each(Object.entries(definitions))('%s', (name, definition) => {
  test('default', () => {
    fc.assert(
      fc.property(word, word, (a, b) => checkAgainst(name, [a, b], definition)),
      { numRuns: 1_000 },
    );
  });

  test('args: both operands alias the same word', () => {
    fc.assert(
      fc.property(word, (a) => {
        writeWord(pointerOf(0), a);
        callWords(name, pointerOf(0), pointerOf(0), pointerOf(0));
        expect(readWord(pointerOf(0))).toBe(definition(a, a, a));
      }),
    );
  });

  test('args: a product and its factor', () => {
    fc.assert(
      fc.property(limbWord, limbWord, fc.constantFrom(-1n, 0n, 1n), (quotient, divisor, offset) =>
        checkAgainst(name, [unsigned(quotient * divisor + offset), divisor], definition),
      ),
      { numRuns: 500 },
    );
  });
});

test.each(Object.entries(ternaryDefinitions))('%s: default', (name, definition) => {
  fc.assert(
    fc.property(word, word, word, (a, b, modulus) => checkAgainst(name, [a, b, modulus], definition)),
    { numRuns: 2_000 },
  );
});

test('multiplyModulo: args: a modulus less than 2^64 below 2^256', () => {
  const complement = fc.oneof(
    fc.constantFrom(1n, 2n, 0x1000003d1n, (1n << 64n) - 1n),
    fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }),
  );
  const { multiplyModulo } = ternaryDefinitions;
  invariant(multiplyModulo, 'multiplyModulo is defined');
  fc.assert(
    fc.property(word, word, complement, fc.bigInt({ min: -2n, max: 2n }), (a, b, distance, offset) => {
      const modulus = MODULUS - distance;
      checkAgainst('multiplyModulo', [a, b, modulus], multiplyModulo);
      // Products next to the modulus and its square: the last subtraction.
      checkAgainst('multiplyModulo', [unsigned(modulus + offset), 1n, modulus], multiplyModulo);
      checkAgainst('multiplyModulo', [modulus - 1n, modulus - 1n, modulus], multiplyModulo);
      checkAgainst('multiplyModulo', [WORD_MAX, WORD_MAX, modulus], multiplyModulo);
    }),
    { numRuns: 500 },
  );
});

test.each(Object.entries(unaryDefinitions))('%s: default', (name, definition) => {
  fc.assert(fc.property(word, (a) => checkAgainst(name, [a], definition)));
});

test.each(Object.entries(positionDefinitions))('%s: default', (name, definition) => {
  fc.assert(
    fc.property(position, word, (index, value) => checkAgainst(name, [index, value], definition)),
    { numRuns: 2_000 },
  );
});

test.each(Object.entries(positionDefinitions))('%s: args: every position', (name, definition) => {
  for (let index = 0n; index <= 257n; index += 1n) {
    checkAgainst(name, [index, (0x8081_8283n << 224n) | 0x7f80_ff00_8001_7ffen], definition);
  }
  checkAgainst(name, [1n << 64n, WORD_MAX], definition);
});

describe('divide', () => {
  // For these the estimated limb of the quotient is too large by one, so that the divisor is added again: the cases
  // published with the algorithm in Hacker's Delight, section 9-2, on limbs of 64 bits.
  const word64 = (...limbs: readonly bigint[]) => limbs.reduce((value, limb) => (value << 64n) | limb, 0n);
  const corrections: readonly (readonly [numerator: bigint, divisor: bigint, quotient: bigint])[] = [
    [word64(1n << 63n, 0n, 3n), word64(1n << 61n, 0n, 1n), 3n],
    [word64((1n << 63n) - 1n, 1n << 63n, 0n, 0n), word64(1n << 63n, 0n, 1n), (1n << 64n) - 2n],
    [word64(1n << 63n, 0n, (1n << 64n) - 2n, 0n), word64(1n << 63n, 0n, (1n << 64n) - 1n), (1n << 64n) - 1n],
  ];

  test.each(corrections)('behavior: adds the divisor again: %s / %s', (numerator, divisor, quotient) => {
    expect(run('divide', [numerator, divisor], 2)).toBe(quotient);
    expect(run('modulo', [numerator, divisor], 2)).toBe(numerator - quotient * divisor);
  });
});

describe('exponentiate', () => {
  test('default', () => {
    fc.assert(
      fc.property(word, word, (base, exponent) => checkAgainst('exponentiate', [base, exponent], power)),
    );
  });

  test('args: a small exponent', () => {
    fc.assert(
      fc.property(word, fc.bigInt({ min: 0n, max: 600n }), (base, exponent) =>
        checkAgainst('exponentiate', [base, exponent], power),
      ),
    );
  });

  test('args: an exponent of more than 64 bits, whose power of the base ends early as a series', () => {
    const exponents = fc.bigInt({ min: (1n << 64n) - 2n, max: WORD_MAX });
    fc.assert(
      fc.property(word, exponents, (base, exponent) =>
        checkAgainst('exponentiate', [base | 1n, exponent], power),
      ),
      { numRuns: 1_000 },
    );
  });
});

test('multiplyFull: default', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      run('multiplyFull', [a, b], 2);
      expect(readWord(pointerOf(2), 8)).toBe(a * b);
    }),
    { numRuns: 1_000 },
  );
});

test('addWithCarry: behavior: returns the carry', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      writeWord(pointerOf(0), a);
      writeWord(pointerOf(1), b);
      const carry = callWords('addWithCarry', pointerOf(2), pointerOf(0), pointerOf(1));
      expect((BigInt(carry) << 256n) | readWord(pointerOf(2))).toBe(a + b);
    }),
  );
});

test('comparisons: default', () => {
  const pairs = fc.oneof(
    fc.tuple(word, word),
    word.map((a) => [a, a] as const),
  );
  fc.assert(
    fc.property(pairs, ([a, b]) => {
      expect(ask('lessThan', [a, b])).toBe(Number(a < b));
      expect(ask('signedLessThan', [a, b])).toBe(Number(signed(a) < signed(b)));
      expect(ask('equals', [a, b])).toBe(Number(a === b));
      expect(ask('isZero', [a])).toBe(Number(a === 0n));
      expect(ask('fitsLimb', [a])).toBe(Number(a < 1n << 64n));
      expect(ask('isNegative', [a])).toBe(Number(signed(a) < 0n));
    }),
    { numRuns: 1_000 },
  );
});

test('comparisons: args: words that differ in one limb', () => {
  fc.assert(
    fc.property(
      word,
      fc.constantFrom(0n, 64n, 128n, 192n),
      fc.bigInt({ min: 1n, max: 3n }),
      (a, shift, change) => {
        const b = a ^ (change << shift);
        expect(ask('lessThan', [a, b])).toBe(Number(a < b));
        expect(ask('signedLessThan', [a, b])).toBe(Number(signed(a) < signed(b)));
        expect(ask('equals', [a, b])).toBe(0);
      },
    ),
  );
});

test('bytesOf: default', () => {
  fc.assert(
    fc.property(word, (a) => {
      expect(ask('bytesOf', [a])).toBe(a === 0n ? 0 : Math.ceil(a.toString(16).length / 2));
    }),
  );
});

test('leadingZeroBits: default', () => {
  const leadingZeroBits = words.functions.get('leadingZeroBits') as unknown as (pointer: number) => bigint;
  const count = (value: bigint): bigint => {
    writeWord(pointerOf(0), value);
    return leadingZeroBits(pointerOf(0));
  };
  for (let bits = 0; bits < 256; bits++) expect(count(2n ** BigInt(bits))).toBe(255n - BigInt(bits));
  expect(count(0n)).toBe(256n);
  fc.assert(
    fc.property(word, (a) => {
      expect(count(a)).toBe(a === 0n ? 256n : 256n - BigInt(a.toString(2).length));
    }),
  );
});

test('setWord: default', () => {
  const setWord = words.functions.get('setWord') as unknown as (pointer: number, value: bigint) => void;
  writeWord(pointerOf(0), WORD_MAX);
  setWord(pointerOf(0), 0xfedc_ba98_7654_3210n);
  expect(readWord(pointerOf(0))).toBe(0xfedc_ba98_7654_3210n);
});

test('clearWord: default', () => {
  writeWord(pointerOf(0), WORD_MAX);
  callWords('clearWord', pointerOf(0));
  expect(readWord(pointerOf(0))).toBe(0n);
});
