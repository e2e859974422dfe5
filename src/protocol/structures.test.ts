import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockHeaderCodec } from './blocks/blocks.ts';
import {
  authorityCodec,
  blockCodec,
  bytesToHex,
  type Codec,
  DecodeError,
  decode,
  decodeSigned,
  encode,
  fromJson,
  hexIdOf,
  operationCodec,
  operationHash,
  operationHashes,
  processedTransactionCodec,
  sha256,
  signedBlockHeaderCodec,
  signedBytes,
  signedTransactionCodec,
  toJson,
  transactionId,
} from './index.ts';
import { objectIdCodec } from './objects/identifiers.ts';
import { assetAmountCodec } from './objects/value-codecs.ts';
import * as structures from './structures.testing.ts';
import { transactionCodec } from './transactions/transactions.ts';

interface Subject<T> {
  readonly name: string;
  readonly codec: Codec<T>;
  readonly values: fc.Arbitrary<T>;
}

/** Hides the type of the values, so that one table holds every structure. */
function subject<T>(name: string, codec: Codec<T>, values: fc.Arbitrary<T>): Subject<unknown> {
  return { name, codec, values } as Subject<unknown>;
}

const subjects = [
  subject('asset amount', assetAmountCodec, structures.assetAmounts),
  subject('object identifier', objectIdCodec, structures.objectIds),
  subject('authority', authorityCodec, structures.authorities),
  subject('operation', operationCodec, structures.operations),
  subject('transaction', transactionCodec, structures.transactions),
  subject('signed transaction', signedTransactionCodec, structures.signedTransactions),
  subject('processed transaction', processedTransactionCodec, structures.processedTransactions),
  subject('block header', blockHeaderCodec, structures.blockHeaders),
  subject('signed block header', signedBlockHeaderCodec, structures.signedBlockHeaders),
  subject('block', blockCodec, structures.blocks),
];

/**
 * Either a value that encodes to these very bytes again, or a DecodeError that names a field and a place in
 * the input.
 */
function expectExact(codec: Codec<unknown>, bytes: Uint8Array): void {
  let value: unknown;
  try {
    value = decode(codec, bytes, 'input');
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    expect(error.field).toMatch(/^input/);
    expect(error.offset).toBeGreaterThanOrEqual(0);
    expect(error.offset).toBeLessThanOrEqual(bytes.length);
    return;
  }
  expect(bytesToHex(encode(codec, value))).toBe(bytesToHex(bytes));
}

describe.each(subjects)('$name', ({ codec, values }) => {
  test('behavior: decoding returns the encoded value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(decode(codec, encode(codec, value))).toEqual(value);
      }),
    );
  });

  test('behavior: parsing JSON returns the printed value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(toJson(codec, value));
        expect(fromJson(codec, JSON.parse(text))).toEqual(value);
      }),
    );
  });

  test('behavior: a changed byte is another value or an error', () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.integer({ min: 1, max: 255 }), (value, place, change) => {
        const bytes = encode(codec, value);
        const index = place % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ change;
        expectExact(codec, bytes);
      }),
      { numRuns: 500 },
    );
  });

  test('behavior: a truncated encoding is an error', () => {
    fc.assert(
      fc.property(values, fc.nat(), (value, length) => {
        const bytes = encode(codec, value);
        const cut = bytes.subarray(0, length % bytes.length);
        expect(() => decode(codec, cut)).toThrow(DecodeError);
        expectExact(codec, cut);
      }),
    );
  });

  test('behavior: an extended encoding is an error', () => {
    fc.assert(
      fc.property(values, fc.uint8Array({ minLength: 1, maxLength: 9 }), (value, surplus) => {
        const bytes = encode(codec, value);
        const extended = Uint8Array.of(...bytes, ...surplus);
        expect(() => decode(codec, extended)).toThrow(
          `at byte ${bytes.length}: ${surplus.length} bytes too many`,
        );
      }),
    );
  });

  test('behavior: any bytes are a value or an error', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectExact(codec, bytes)));
  });
});

test('behavior: decoded values share no memory with the input', () => {
  fc.assert(
    fc.property(structures.blocks, (block) => {
      const input = Buffer.from(encode(blockCodec, block));
      const value = decode(blockCodec, input);
      input.fill(0xff);
      expect(value).toEqual(block);
    }),
  );
});

test('behavior: a parsed transaction has the encodings and hashes of its fields, and a changed copy its own', () => {
  fc.assert(
    fc.property(structures.signedTransactions, (fields) => {
      const bytes = encode(signedTransactionCodec, fields);
      const copy = { ...decodeSigned(bytes), expiration: fields.expiration === 0 ? 1 : 0 };
      for (const transaction of [decodeSigned(bytes), decode(signedTransactionCodec, bytes), fields, copy]) {
        const { operations, refBlockNum, refBlockPrefix, expiration } = transaction;
        const unsigned = encode(transactionCodec, transaction);
        expect(signedBytes(transaction)).toEqual(encode(signedTransactionCodec, transaction));
        expect(transactionId(transaction)).toEqual(sha256(unsigned));
        expect(hexIdOf(transaction)).toBe(bytesToHex(sha256(unsigned)));
        expect(operationHashes(transaction)).toEqual(
          operations.map((operation) => operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
        );
      }
    }),
  );
});
