import { describe, expect, test } from 'vitest';
import { blockHeaderCodec } from './blocks/blocks.ts';
import {
  blockCodec,
  blockId,
  blockNumberOf,
  bytesToHex,
  type Codec,
  createKeyPair,
  decode,
  encode,
  formatPublicKey,
  formatWif,
  fromJson,
  hexToBytes,
  merkleRoot,
  operationCodec,
  operationHash,
  parsePublicKey,
  processedTransactionCodec,
  sha256,
  signedBlockHeaderCodec,
  signedTransactionCodec,
  toHash,
  toJson,
  toSeed,
  transactionDigest,
  transactionId,
  verifySignature,
} from './index.ts';
import { parseWif } from './keys/keys.ts';
import vectors from './native-vectors.testing.json' with { type: 'json' };
import { transactionCodec } from './transactions/transactions.ts';

const chainId = toHash(hexToBytes(vectors.chainId));
const keyPairs = vectors.keys.map((key) => createKeyPair(toSeed(hexToBytes(key.seed))));

/** All four ways between bytes, value and JSON, from one vector. */
function expectBothWays<T>(codec: Codec<T>, hex: string, json: unknown): void {
  const bytes = hexToBytes(hex);
  const value = decode(codec, bytes);
  expect(bytesToHex(encode(codec, value))).toBe(hex);
  expect(toJson(codec, value)).toStrictEqual(json);
  expect(fromJson(codec, json)).toStrictEqual(value);
  expect(bytesToHex(encode(codec, fromJson(codec, json)))).toBe(hex);
}

describe('keys', () => {
  test.each(vectors.keys)('default: $publicKeyText', (key) => {
    const seed = toSeed(hexToBytes(key.seed));
    const { publicKey } = createKeyPair(seed);
    expect(bytesToHex(publicKey)).toBe(key.publicKey);
    expect(formatPublicKey(publicKey)).toBe(key.publicKeyText);
    expect(bytesToHex(parsePublicKey(key.publicKeyText))).toBe(key.publicKey);
    expect(formatWif(seed)).toBe(key.wif);
    expect(bytesToHex(parseWif(key.wif))).toBe(key.seed);
  });
});

describe('operations', () => {
  test.each(vectors.operations)('default: $name', ({ bytes, json }) => {
    expectBothWays(operationCodec, bytes, json);
  });
});

describe('transactions', () => {
  test.each(vectors.transactions)('default: $name, unsigned', ({ unsigned, json }) => {
    expectBothWays(transactionCodec, unsigned, json);
  });

  test.each(vectors.transactions)('default: $name, signed', ({ signed, json, signatures }) => {
    expectBothWays(signedTransactionCodec, signed, { ...json, signatures, signed_with_echorand_key: false });
  });

  test.each(vectors.transactions)('default: $name, digest and id', ({ unsigned, signed, digest }) => {
    const transaction = decode(signedTransactionCodec, hexToBytes(signed));
    expect(bytesToHex(transactionDigest(chainId, transaction))).toBe(digest);
    expect(bytesToHex(transactionDigest(chainId, hexToBytes(unsigned)))).toBe(digest);
    expect(transactionId(transaction)).toStrictEqual(sha256(hexToBytes(unsigned)));
  });

  test.each(vectors.transactions)('default: $name, signatures', ({ signed, digest, signers, signatures }) => {
    const message = hexToBytes(digest);
    const made = signers.map((signer) => keyPairs[signer]?.sign(message));
    expect(made.map((signature) => bytesToHex(signature ?? new Uint8Array()))).toStrictEqual(signatures);
    const transaction = decode(signedTransactionCodec, hexToBytes(signed));
    const verified = signers.map((signer, index) => {
      const [pair, signature] = [keyPairs[signer], transaction.signatures[index]];
      return pair && signature && verifySignature(pair.publicKey, message, signature);
    });
    expect(verified).toStrictEqual(signers.map(() => true));
  });

  test.each(vectors.transactions)(
    'default: $name, hashes of the operations',
    ({ unsigned, operationHashes }) => {
      const { operations, refBlockNum, refBlockPrefix, expiration } = decode(
        transactionCodec,
        hexToBytes(unsigned),
      );
      const hashes = operations.map((operation) =>
        bytesToHex(operationHash(operation, refBlockNum, refBlockPrefix, expiration)),
      );
      expect(hashes).toStrictEqual(operationHashes);
    },
  );
});

describe('block', () => {
  const { block } = vectors;
  const { transactions, ...signedHeaderJson } = block.json;
  const { ed_signature, rand, cert, ...headerJson } = signedHeaderJson;
  // The one amount that the vector shows as a number: both forms are read, and the string is printed.
  const printed = JSON.parse(JSON.stringify(transactions).replace('"amount":20', '"amount":"20"'));

  test('default: header', () => expectBothWays(blockHeaderCodec, block.header, headerJson));
  test('default: signed header', () =>
    expectBothWays(signedBlockHeaderCodec, block.signedHeader, signedHeaderJson));
  test('default: processed transaction', () =>
    expectBothWays(processedTransactionCodec, block.transaction, printed[0]));
  test('default: block', () =>
    expectBothWays(blockCodec, block.bytes, { ...signedHeaderJson, transactions: printed }));

  test('args: an amount as a number', () => {
    expect(bytesToHex(encode(blockCodec, fromJson(blockCodec, block.json)))).toBe(block.bytes);
  });

  test('default: size, id and merkle root', () => {
    const value = decode(blockCodec, hexToBytes(block.bytes));
    expect(encode(blockCodec, value)).toHaveLength(block.size);
    const id = blockId(block.number, value);
    expect(bytesToHex(id)).toBe(block.id);
    expect(bytesToHex(blockId(block.number, hexToBytes(block.signedHeader)))).toBe(block.id);
    expect(blockNumberOf(id)).toBe(block.number);
    expect(value.round).toBe(BigInt(block.number));
    expect(bytesToHex(merkleRoot(value.transactions))).toBe(block.json.transaction_merkle_root);
    expect(bytesToHex(merkleRoot([hexToBytes(block.transaction)]))).toBe(block.json.transaction_merkle_root);
  });
});
