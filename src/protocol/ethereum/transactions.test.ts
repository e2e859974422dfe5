import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, toAddress, toHash } from '../bytes/bytes.ts';
import { DecodeError, FormatError, UnsupportedTransactionTypeError } from '../protocol-errors.ts';
import { createAddress } from './addresses.ts';
import { signAuthorization } from './authorization.ts';
import { anyFields, create2Address, KEY } from './ethereum.testing.ts';
import { parseEthereumTransaction } from './parse-transaction.ts';
import { serializeEthereumTransaction, signEthereumTransaction } from './sign-transaction.ts';
import { type EthereumTransaction, type EthereumTransactionFields, recoverSender } from './transaction.ts';

const SENDER = '9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f';

/** The example of EIP-155. */
const EXAMPLE =
  'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a0' +
  '28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a0' +
  '67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';
const EXAMPLE_FIELDS = {
  type: 'legacy',
  chainId: 1n,
  nonce: 9n,
  gasPrice: 20_000_000_000n,
  gas: 21_000n,
  to: toAddress(hexToBytes('35'.repeat(20))),
  value: 10n ** 18n,
  data: new Uint8Array(),
} as const;

/** The fields alone of what was read. */
function fieldsOf(transaction: EthereumTransaction): EthereumTransactionFields {
  const {
    v: _v,
    r: _r,
    s: _s,
    yParity: _yParity,
    hash: _hash,
    signingHash: _signingHash,
    ...fields
  } = transaction;
  return fields;
}

function signed(fields: EthereumTransactionFields): Uint8Array {
  return signEthereumTransaction(fields, KEY);
}

describe('default', () => {
  test('default: the example of EIP-155', () => {
    expect(bytesToHex(signed(EXAMPLE_FIELDS))).toBe(EXAMPLE);
    const transaction = parseEthereumTransaction(hexToBytes(EXAMPLE));
    expect(transaction).toEqual({
      ...EXAMPLE_FIELDS,
      v: 37n,
      yParity: 0,
      r: 0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276n,
      s: 0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83n,
      hash: hexToBytes('33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788'),
      signingHash: hexToBytes('daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53'),
    });
    expect(bytesToHex(recoverSender(transaction))).toBe(SENDER);
  });

  test('default: a signed transaction parses, recovers its sender, and serializes to the same bytes', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        const raw = signed(fields);
        const transaction = parseEthereumTransaction(raw);
        expect(fieldsOf(transaction)).toEqual(fields);
        expect(bytesToHex(recoverSender(transaction))).toBe(SENDER);
        expect(serializeEthereumTransaction(transaction, transaction)).toEqual(raw);
      }),
      { numRuns: 200 },
    );
  });

  test('behavior: bytes of a Buffer, within a larger one', () => {
    const buffer = Buffer.concat([Buffer.from('ff'), Buffer.from(EXAMPLE, 'hex'), Buffer.from('ff')]);
    const transaction = parseEthereumTransaction(buffer.subarray(2, -2));
    expect(transaction).toEqual(parseEthereumTransaction(hexToBytes(EXAMPLE)));
    expect(transaction.data).not.toBeInstanceOf(Buffer);
  });
});

describe('modified transactions', () => {
  const samples: readonly EthereumTransactionFields[] = [
    EXAMPLE_FIELDS,
    { ...EXAMPLE_FIELDS, chainId: undefined, data: hexToBytes('00'.repeat(70)), to: undefined },
    {
      ...EXAMPLE_FIELDS,
      type: 'accessList',
      accessList: [
        { address: EXAMPLE_FIELDS.to, storageKeys: [toHash(new Uint8Array(32))] },
        { address: toAddress(new Uint8Array(20)), storageKeys: [] },
      ],
    },
    {
      ...EXAMPLE_FIELDS,
      type: 'dynamicFee',
      chainId: 31_337n,
      maxFeePerGas: 2n ** 255n,
      maxPriorityFeePerGas: 0n,
      accessList: [],
    },
    {
      ...EXAMPLE_FIELDS,
      type: 'setCode',
      chainId: 31_337n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 0n,
      accessList: [],
      authorizationList: [
        signAuthorization({ chainId: 0n, address: EXAMPLE_FIELDS.to, nonce: 2n ** 64n - 1n }, KEY),
      ],
    },
  ];

  test.each(samples)(
    'behavior: any bit flip in $type is rejected, or changes both hash and sender',
    (fields) => {
      const raw = signed(fields);
      const { hash } = parseEthereumTransaction(raw);
      for (let bit = 0; bit < 8 * raw.length; bit++) {
        const changed = Uint8Array.from(raw);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const found = outcomeOf(changed);
        if (found !== undefined) {
          expect(found.hash).not.toEqual(hash);
          expect(found.sender).not.toBe(SENDER);
        }
      }
    },
  );

  test('behavior: random bytes are rejected, or are the canonical encoding of the parsed transaction', () => {
    const typeByte = fc.constantFrom('', '01', '02', '04').map(hexToBytes);
    const anyBytes = fc
      .tuple(typeByte, fc.uint8Array({ maxLength: 400 }))
      .map(([type, bytes]) => Buffer.concat([type, bytes]));
    fc.assert(
      fc.property(anyBytes, (bytes) => void outcomeOf(bytes)),
      { numRuns: 3_000 },
    );
  });

  test('behavior: any parts of transactions one after the other, likewise', () => {
    const parts = samples.map((fields) => signed(fields));
    const piece = fc
      .tuple(fc.constantFrom(...parts), fc.nat(300), fc.nat(300))
      .map(([raw, from, to]) => raw.subarray(from, from + to));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => void outcomeOf(Buffer.concat(pieces))),
      { numRuns: 3_000 },
    );
  });
});

/** Hash and sender of what is read; undefined for what is refused, by the errors that are said to be thrown. */
function outcomeOf(raw: Uint8Array): { hash: Uint8Array; sender: string | undefined } | undefined {
  let transaction: EthereumTransaction;
  try {
    transaction = parseEthereumTransaction(raw);
  } catch (error) {
    const isExpected = error instanceof DecodeError || error instanceof UnsupportedTransactionTypeError;
    if (!isExpected) throw error;
    return undefined;
  }
  expect(serializeEthereumTransaction(transaction, transaction)).toEqual(Uint8Array.from(raw));
  try {
    return { hash: transaction.hash, sender: bytesToHex(recoverSender(transaction)) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { hash: transaction.hash, sender: undefined };
  }
}

describe('recoverSender', () => {
  test('error: an r that is no coordinate of the curve', () => {
    const transaction = parseEthereumTransaction(
      serializeEthereumTransaction(EXAMPLE_FIELDS, { r: 5n, s: 1n, yParity: 0 }),
    );
    expect(() => recoverSender(transaction)).toThrowErrorMatchingInlineSnapshot(
      `[FormatError: transaction: invalid transaction v, r, s values: no key has made this signature]`,
    );
  });
});

describe('signEthereumTransaction', () => {
  test.each<[field: string, changes: Partial<typeof EXAMPLE_FIELDS> | Record<string, bigint>, range: string]>(
    [
      ['nonce', { nonce: 2n ** 64n - 1n }, 'must be of 0 to 18446744073709551614'],
      ['gas', { gas: 2n ** 64n }, 'must be of 0 to 18446744073709551615, not 18446744073709551616'],
      ['gasPrice', { gasPrice: -1n }, 'not -1'],
      ['value', { value: 2n ** 256n }, `must be of 0 to ${2n ** 256n - 1n}`],
      ['chainId', { chainId: 0n }, 'must be of 1 to'],
    ],
  )('error: a %s that has no place in its field', (field, changes, range) => {
    const fields = { ...EXAMPLE_FIELDS, ...changes } as EthereumTransactionFields;
    expect(() => signed(fields)).toThrow(FormatError);
    expect(() => signed(fields)).toThrow(`transaction.${field}: `);
    expect(() => signed(fields)).toThrow(range);
  });
});

describe('addresses of contracts', () => {
  test.each([
    ['default: nonce 0', 0n, 'cd234a471b72ba2f1ccf0a70fcaba648a5eecd8d'],
    ['behavior: nonce 1', 1n, '343c43a37d37dff08ae8c4a11544c718abb4fcf8'],
  ])('createAddress: %s', (_title, nonce, address) => {
    const sender = toAddress(hexToBytes('6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0'));
    expect(bytesToHex(createAddress(sender, nonce))).toBe(address);
  });

  // The examples of EIP-1014.
  test.each([
    ['default: zeros', '00'.repeat(20), '00'.repeat(32), '00', '4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38'],
    [
      'behavior: longer code',
      '00000000000000000000000000000000deadbeef',
      '00000000000000000000000000000000000000000000000000000000cafebabe',
      'deadbeef'.repeat(11),
      '1d8bfdc5d46dc4f61d6b6115972536ebe6a8854c',
    ],
    ['behavior: no code', '00'.repeat(20), '00'.repeat(32), '', 'e33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0'],
  ])('create2Address: %s', (_title, sender, salt, code, address) => {
    const found = create2Address(toAddress(hexToBytes(sender)), toHash(hexToBytes(salt)), hexToBytes(code));
    expect(bytesToHex(found)).toBe(address);
  });
});
