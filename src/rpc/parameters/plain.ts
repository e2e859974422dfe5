import { AMOUNT_MAX, UINT64_MAX } from '../../consensus.ts';
import {
  type Hash,
  numberToBytes,
  quantity,
  readHex,
  type Seed,
  toHash,
  toPrefixedHex,
  toSeed,
  utf8ToBytes,
  WORD_MAX,
} from '../../protocol/index.ts';
import { isPrivateKey } from '../../wallet/index.ts';
import { describeValue } from '../json/describe.ts';
import { explained, mapped, named, readData, refusal, type Schema } from './schema.ts';

/** Characters of a QUANTITY of 32 bytes, with `0x` and leading zeros. */
const QUANTITY_CHARACTERS_MAX = 66;
/** Decimal digits of a number of 32 bytes. */
const DIGITS_MAX = 78;

export const flagSchema: Schema<boolean> = {
  describe: () => ({ type: 'boolean', title: 'boolean' }),
  read: (value, path) => {
    if (typeof value === 'boolean') return value;
    throw refusal(path, `expected true or false, got ${describeValue(value)}`);
  },
};

/** A number, fractions included. */
export const numberSchema: Schema<number> = {
  describe: () => ({ type: 'number' }),
  read: (value, path) => {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const got = typeof value === 'number' ? 'one that is too large' : describeValue(value);
    throw refusal(path, `expected a number, got ${got}`);
  },
};

/** A text that the method itself reads. */
export const textSchema: Schema<string> = {
  describe: () => ({ type: 'string', title: 'string' }),
  read: (value, path) => {
    if (typeof value === 'string') return value;
    throw refusal(path, `expected a string, got ${describeValue(value)}`);
  },
};

/** A text that the method itself reads, or null. */
export const textOrNullSchema: Schema<string | null> = {
  describe: () => ({ type: ['string', 'null'], title: 'string or null' }),
  read: (value, path) => {
    if (typeof value === 'string' || value === null) return value;
    throw refusal(path, `expected a string or null, got ${describeValue(value)}`);
  },
};

export const passphraseSchema: Schema<string> = named(
  'Passphrase',
  { title: 'string', description: 'A passphrase; never repeated in a message.' },
  textSchema,
);

/** A private key, with or without 0x, as geth takes it and others do; never repeated in a message. */
export const privateKeySchema: Schema<Seed> = {
  describe: () => ({
    type: 'string',
    pattern: '^(0x)?[0-9a-fA-F]{64}$',
    title: 'DATA, 32 bytes',
    description: 'A private key of secp256k1, with or without 0x; never repeated in a message.',
  }),
  read: (value, path) => {
    const text = typeof value === 'string' ? value.replace(/^0x/, '') : '';
    const bytes = text.length === 64 ? readHex(text) : undefined;
    if (bytes === undefined) throw refusal(path, 'expected 32 bytes of hex, with or without 0x');
    const key = toSeed(bytes);
    if (!isPrivateKey(key)) throw refusal(path, 'the number is not a private key of secp256k1');
    return key;
  },
};

/** A message to sign: DATA, or a text whose UTF-8 it is. */
export const messageSchema: Schema<Uint8Array> = explained(
  mapped(textSchema, (text) => readData(text) ?? utf8ToBytes(text)),
  { title: 'DATA or text' },
);

/** The forms of a QUANTITY, as JSON Schemas. */
export const QUANTITY_FORMS = [
  { type: 'string', pattern: `^0x[0-9a-fA-F]{1,${QUANTITY_CHARACTERS_MAX - 2}}$` },
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
] as const;

const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const EXPECTED = 'expected a QUANTITY (0x-prefixed hex or a whole number)';

/**
 * QUANTITY in a request (docs/interface.md#value-types): hexadecimal with or without leading zeros, or a plain JSON
 * integer; of at most 32 bytes.
 */
export const quantitySchema: Schema<bigint> = named(
  'QuantityParameter',
  {
    title: 'QUANTITY',
    description: 'Hex with 0x, with or without leading zeros, of at most 32 bytes; or a JSON integer.',
  },
  {
    describe: () => ({ anyOf: QUANTITY_FORMS }),
    canonical: canonicalQuantity,
    read: (value, path) => {
      if (typeof value === 'string' || typeof value === 'number') {
        const problem = problemOf(value);
        if (problem === undefined) return BigInt(value);
        throw refusal(path, `${EXPECTED}, got ${problem}`);
      }
      throw refusal(path, `${EXPECTED}, got ${describeValue(value)}`);
    },
  },
);

/** Digits behind leading zeros; a hexadecimal number may have none. */
const CONTROL_HEXADECIMAL = /^0x0*([1-9a-f][0-9a-f]*)?$/i;
const CONTROL_DECIMAL = /^0*([1-9][0-9]*)?$/;
const CONTROL_EXPECTED = 'expected a QUANTITY (0x-prefixed hex, a whole number or decimal digits)';

/**
 * QUANTITY of what controls a test chain, as anvil and Hardhat take it: test suites also send numbers as decimal text,
 * `0x` for zero, a large X, and more zeros in front than there is room for.
 */
export const controlQuantitySchema: Schema<bigint> = named(
  'ControlQuantityParameter',
  {
    title: 'QUANTITY',
    description: 'Hex with 0x, which alone is zero; a JSON integer; or decimal digits. At most 32 bytes.',
  },
  {
    describe: (components) => ({
      anyOf: [
        quantitySchema.describe(components),
        { type: 'string', pattern: '^0[xX][0-9a-fA-F]*$' },
        { type: 'string', pattern: '^[0-9]+$' },
      ],
    }),
    read: (value, path) => {
      if (typeof value === 'number') return quantitySchema.read(value, path);
      const digits = typeof value === 'string' && value !== '' ? digitsOf(value) : undefined;
      if (digits === undefined) throw refusal(path, `${CONTROL_EXPECTED}, got ${describeControl(value)}`);
      const number = digits.length <= DIGITS_MAX ? BigInt(digits) : undefined;
      if (number !== undefined && number <= WORD_MAX) return number;
      throw refusal(path, `${CONTROL_EXPECTED}, got a number of more than 32 bytes`);
    },
  },
);

/** Returns the digits of a number without leading zeros, after 0x if hexadecimal; undefined for other texts. */
function digitsOf(text: string): string | undefined {
  const hexadecimal = CONTROL_HEXADECIMAL.exec(text);
  if (hexadecimal !== null) return `0x${hexadecimal[1] ?? '0'}`;
  const decimal = CONTROL_DECIMAL.exec(text);
  return decimal === null ? undefined : (decimal[1] ?? '0');
}

function describeControl(value: unknown): string {
  if (typeof value !== 'string') return describeValue(value);
  if (value === '') return 'an empty string';
  if (value.startsWith('-')) return 'a negative number';
  return 'a string that is neither';
}

/** Makes the schema of a QUANTITY of at most `most`, read as a number; a message counts in `unit`. */
export function boundedQuantity(
  most: number,
  unit: string,
  schema: Schema<bigint> = quantitySchema,
): Schema<number> {
  const bounded = mapped(schema, (value, path) => {
    if (value <= BigInt(most)) return Number(value);
    throw refusal(path, `expected at most ${most} ${unit}, got ${value}`);
  });
  return explained(bounded, { description: `At most ${most} ${unit}.` });
}

/** Returns a number or its hexadecimal form without leading zeros, which some nodes refuse. */
function canonicalQuantity(value: unknown): string {
  return quantity(BigInt(value as string | number)); // the schema has read it
}

/** Characters of 32 bytes as DATA. */
const WORD_CHARACTERS = 66;

/** QUANTITY that is a position in storage, as 32 bytes. */
export const slotSchema: Schema<Hash> = {
  ...mapped(quantitySchema, wordOf),
  canonical: (value) => toPrefixedHex(wordOf(BigInt(value as string | number))), // the schema has read it
};

/** Returns true for a position that is given as 32 bytes. */
export function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length === WORD_CHARACTERS;
}

/** The same, where other nodes accept the position as a number, too. */
export const shortSlotSchema: Schema<Hash> = {
  ...slotSchema,
  canonical: (value) => (isWord(value) ? value : canonicalQuantity(value)),
};

/** The same for methods that control a test chain. */
export const controlSlotSchema: Schema<Hash> = mapped(controlQuantitySchema, wordOf);

/** QUANTITY that is a uint64. */
export const uint64Schema: Schema<bigint> = uint64(quantitySchema);

/** The same for methods that control a test chain. */
export const controlUint64Schema: Schema<bigint> = uint64(controlQuantitySchema);

function uint64(schema: Schema<bigint>): Schema<bigint> {
  const bounded = mapped(schema, (value, path) => {
    if (value <= UINT64_MAX) return value;
    throw refusal(path, `expected at most ${UINT64_MAX} (a uint64), got ${value}`);
  });
  return explained(bounded, { description: 'At most 64 bits.' });
}

/** QUANTITY of native units that an account can hold. */
export const balanceSchema: Schema<bigint> = explained(
  mapped(controlQuantitySchema, (value, path) => {
    if (value <= AMOUNT_MAX) return value;
    const limit = `expected at most ${AMOUNT_MAX} native units, the maximum of an account`;
    throw refusal(path, `${limit}, got ${value}`);
  }),
  {
    description: `Native units, at most ${AMOUNT_MAX}: about 9.22 of the 10^18 units that clients expect in an ether.`,
  },
);

/** Returns a number as exactly 32 bytes. */
function wordOf(value: bigint): Hash {
  return toHash(numberToBytes(value, 32));
}

function problemOf(value: string | number): string | undefined {
  return typeof value === 'number' ? problemOfNumber(value) : problemOfText(value);
}

function problemOfNumber(value: number): string | undefined {
  // JSON.parse reads a number like 1e400 so.
  if (value === Number.POSITIVE_INFINITY) return 'a number that is too large';
  if (value < 0) return 'a negative number';
  if (!Number.isInteger(value)) return 'a fraction';
  return Number.isSafeInteger(value) ? undefined : 'a number above 2^53 - 1, which only hex can hold';
}

function problemOfText(text: string): string | undefined {
  if (text.length > QUANTITY_CHARACTERS_MAX) return `more than ${QUANTITY_CHARACTERS_MAX} characters`;
  if (!text.startsWith('0x')) return text.startsWith('-') ? 'a negative number' : 'a string without 0x';
  if (text.length === 2) return 'no digits';
  return HEXADECIMAL.test(text) ? undefined : 'a string that is not hex';
}
