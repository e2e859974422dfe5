import { expect, test } from 'vitest';
import { publicKeyOf, VECTOR_KEYS } from './keys.ts';
import { accountCreateBytes, operationHash, signedTransactionBytes, transferBytes } from './writer.ts';

// Facts of the format's published test vectors.
const CHAIN_ID = '233ae92c7218173c76b5ffad9487b063933eec714a12e3f2ea48026a45262934';
const FRAME = { refBlockNum: 2998, refBlockPrefix: 3_266_335_494, expiration: 1_576_516_541 };
const TRANSFER = { from: 24, to: 596, amount: 5_000_000_000n };

test('default: the keys', () => {
  expect(VECTOR_KEYS.map(({ seed }) => publicKeyOf(seed))).toEqual(
    VECTOR_KEYS.map(({ publicKey }) => publicKey),
  );
});

test('default: a transfer', () => {
  expect(transferBytes(TRANSFER).toString('hex')).toBe('0014000000000000000018d40400f2052a010000000000');
});

test('default: an account creation', () => {
  const bytes = accountCreateBytes({
    registrar: 1024,
    name: 'alice-1',
    activeKey: VECTOR_KEYS[0].publicKey,
    consensusKey: VECTOR_KEYS[1].publicKey,
  });
  expect(bytes.toString('hex')).toBe(
    `03640000000000000000800807616c6963652d31010000000001${VECTOR_KEYS[0].publicKey}0100${VECTOR_KEYS[1].publicKey}` +
      '00800800000000',
  );
});

test('default: a signed transaction', () => {
  const bytes = signedTransactionBytes(CHAIN_ID, FRAME, [transferBytes(TRANSFER)], [VECTOR_KEYS[0].seed]);
  expect(bytes.toString('hex')).toBe(
    'b60b0653b0c2bdbbf75d010014000000000000000018d40400f2052a0100000000000001b3e5ed2fd630abfa71750b673f3f0e54039c' +
      '24f6110a87dfcda47b4d6a650de7ff1298eb174d6a312a1d481fb7a8d41cdb0e115656d197161e6c1dfae9c94f0a00',
  );
});

test('default: the hash of an operation', () => {
  expect(operationHash(transferBytes(TRANSFER), FRAME)).toBe('57899ace0c0cbc675c486c0584da71be279fef83');
});
