import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INSTANCE_MAX } from '../../consensus.ts';
import { accountId, bytesToHex, compareBytes, contractId, toAddress, toHash } from '../../protocol/index.ts';
import { stateKey } from '../index.ts';

const address = toAddress(Uint8Array.from({ length: 20 }, (_, index) => index + 1));
const hash = toHash(new Uint8Array(32).fill(0xcc));
const addressHex = '0102030405060708090a0b0c0d0e0f1011121314';

describe('stateKey', () => {
  test('default', () => {
    const keys = {
      account: stateKey.account(address),
      storage: stateKey.storage(address, hash),
      storagePrefix: stateKey.storagePrefix(address),
      code: stateKey.code(hash),
      nativeAccount: stateKey.nativeAccount(accountId(0x010203040506)),
      accountName: stateKey.accountName('nathan'),
      contractAddress: stateKey.contractAddress(contractId(1)),
      contractId: stateKey.contractId(address),
      evmAddress: stateKey.evmAddress(address),
      counters: stateKey.counters(),
      accountTrie: stateKey.accountTrie(),
      storageTrie: stateKey.storageTrie(hash),
    };
    expect(Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, bytesToHex(key)]))).toEqual({
      account: `01${addressHex}`,
      storage: `02${addressHex}${'cc'.repeat(32)}`,
      storagePrefix: `02${addressHex}`,
      code: `03${'cc'.repeat(32)}`,
      nativeAccount: '04010203040506',
      accountName: '056e617468616e',
      contractAddress: '06000000000001',
      contractId: `07${addressHex}`,
      evmAddress: `08${addressHex}`,
      counters: '09',
      accountTrie: '0a',
      storageTrie: `0b${'cc'.repeat(32)}`,
    });
    const ofTrie = Object.entries(keys).filter(([, key]) => stateKey.isOfTrie(key));
    expect(ofTrie.map(([name]) => name)).toEqual(['accountTrie', 'storageTrie']);
  });

  test('behavior: keys of accounts are in the order of their instances', () => {
    const instance = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: INSTANCE_MAX }));
    fc.assert(
      fc.property(instance, instance, (left, right) => {
        const order = compareBytes(
          stateKey.nativeAccount(accountId(left)),
          stateKey.nativeAccount(accountId(right)),
        );
        expect(Math.sign(order)).toBe(Math.sign(left - right));
      }),
    );
  });
});
