import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, keccak256, toSeed } from '../protocol/index.ts';
import { deriveTestAccounts, evmAddressOf, generateSeed, isValidSeed, signPersonalMessage } from './keys.ts';

/** The key, address and signature that web3.js shows in its documentation of `eth.accounts.sign`. */
const KEY = toSeed(Buffer.from('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318', 'hex'));
const SIGNATURE =
  'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd' +
  '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029' +
  '1c';

/** Half the order of secp256k1: a low s is not above it. */
const HALF_ORDER = secp256k1.Point.Fn.ORDER / 2n;

describe('deriveTestAccounts', () => {
  test('default: SHA-256 of the domain, the text and the index', () => {
    const seeds = deriveTestAccounts('ledgerd', 3).map(({ seed }) => bytesToHex(seed));
    const expected = [0, 1, 2].map((index) =>
      createHash('sha256').update(`ledgerd test account:ledgerd:${index}`).digest('hex'),
    );
    expect(seeds).toEqual(expected);
  });

  test('behavior: the same on every call, and more accounts begin with the fewer ones', () => {
    expect(deriveTestAccounts('x', 4).slice(0, 2)).toEqual(deriveTestAccounts('x', 2));
  });

  test('behavior: the address of each default account is that of its key', () => {
    for (const { seed, evmAddress } of deriveTestAccounts('ledgerd', 11)) {
      const point = secp256k1.getPublicKey(seed, false).subarray(1);
      expect(bytesToHex(evmAddress)).toBe(bytesToHex(keccak256(point).subarray(12)));
    }
  });

  test('behavior: another text gives other keys', () => {
    expect(deriveTestAccounts('x', 1)).not.toEqual(deriveTestAccounts('y', 1));
  });

  test('args: no accounts', () => {
    expect(deriveTestAccounts('x', 0)).toEqual([]);
  });
});

describe('isValidSeed', () => {
  test.each([
    ['error: zero', '00'.repeat(32), false],
    ['error: the order of the curve', secp256k1.Point.Fn.ORDER.toString(16), false],
    ['default: the greatest key', (secp256k1.Point.Fn.ORDER - 1n).toString(16), true],
  ])('%s', (_title, hex, expected) => {
    expect(isValidSeed(Buffer.from(hex, 'hex'))).toBe(expected);
  });

  test('behavior: generated keys are valid and differ', () => {
    const [first, second] = [generateSeed(), generateSeed()];
    expect([isValidSeed(first), isValidSeed(second)]).toEqual([true, true]);
    expect(first).not.toEqual(second);
  });
});

describe('evmAddressOf', () => {
  test('default', () => {
    expect(bytesToHex(evmAddressOf(KEY))).toBe('2c7536e3605d9c16a7a3d7b1898e529396a65c23');
  });

  test('behavior: the hash of the public key, for any key', () => {
    const anyKey = fc.bigInt(1n, secp256k1.Point.Fn.ORDER - 1n).map((key) => secp256k1.Point.Fn.toBytes(key));
    fc.assert(
      fc.property(anyKey, (key) => {
        const point = secp256k1.getPublicKey(key, false);
        expect(evmAddressOf(toSeed(key))).toEqual(keccak256(point.subarray(1)).slice(-20));
      }),
      { numRuns: 50 },
    );
  });
});

describe('signPersonalMessage', () => {
  test('default', () => {
    expect(bytesToHex(signPersonalMessage(KEY, Buffer.from('Some data')))).toBe(SIGNATURE);
  });

  test('behavior: recovers to the EVM address, with a low s, for any message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 20 }), (message, index) => {
        const [account] = deriveTestAccounts(`any ${index}`, 1);
        if (account === undefined) return false;
        const signature = signPersonalMessage(account.seed, message);
        const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`, 'latin1');
        const digest = keccak256(Buffer.concat([prefix, message]));
        const v = signature[64] ?? 0;
        const s = BigInt(`0x${bytesToHex(signature.subarray(32, 64))}`);
        const recoverable = Buffer.concat([Uint8Array.of(v - 27), signature.subarray(0, 64)]);
        const compressed = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false });
        const point = secp256k1.Point.fromBytes(compressed).toBytes(false);
        expect([27, 28]).toContain(v);
        expect(s <= HALF_ORDER).toBe(true);
        expect(signature).toHaveLength(65);
        expect(keccak256(point.subarray(1)).subarray(12)).toEqual(new Uint8Array(account.evmAddress));
        return true;
      }),
      { numRuns: 50 },
    );
  });
});
