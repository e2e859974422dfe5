import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INSTANCE_MAX } from '../../consensus.ts';
import {
  accountAddress,
  accountId,
  accountObject,
  addressOwner,
  assetId,
  bytesToHex,
  CORE_ASSET,
  contractAddress,
  contractId,
  contractObject,
  FormatError,
  formatAccountId,
  formatContractId,
  hexToBytes,
  parseAccountId,
  toAddress,
} from '../index.ts';
import {
  formatAssetId,
  formatObjectId,
  parseAssetId,
  parseContractId,
  parseObjectId,
} from './identifiers.ts';

const instances = fc.integer({ min: 0, max: INSTANCE_MAX });
const owner = (hex: string) => addressOwner(toAddress(hexToBytes(hex)));

describe('text', () => {
  test('default', () => {
    expect(formatAccountId(parseAccountId('1.2.1024'))).toBe('1.2.1024');
    expect(formatContractId(parseContractId('1.11.0'))).toBe('1.11.0');
    expect(formatAssetId(CORE_ASSET)).toBe('1.3.0');
    expect(parseAssetId('1.3.7')).toBe(7);
    expect(parseObjectId('1.2.26')).toEqual(accountObject(accountId(26)));
    expect(formatObjectId(contractObject(contractId(5)))).toBe('1.11.5');
  });

  test('behavior: every instance survives a round trip', () => {
    fc.assert(
      fc.property(instances, (instance) => {
        expect(parseAccountId(formatAccountId(accountId(instance)))).toBe(instance);
        expect(parseContractId(formatContractId(contractId(instance)))).toBe(instance);
        expect(parseAssetId(formatAssetId(assetId(instance)))).toBe(instance);
      }),
    );
  });

  test.each([
    '',
    '1.2',
    '1.2.',
    '1.2.01',
    '1.2.-1',
    '1.2.1.',
    '1.2.1e3',
    ' 1.2.1',
    '1.2.1\n',
    '01.2.1',
    '1.3.1',
    '1.2.281474976710656',
    '1.2.99999999999999999999',
  ])('error: %j', (text) => {
    expect(() => parseAccountId(text, 'from')).toThrow(FormatError);
    expect(() => parseAccountId(text, 'from')).toThrow(/^from: /);
    expect(() => parseContractId(text)).toThrow(FormatError);
  });

  test.each(['1.2', '1.2.3.4', '256.2.1', '1.256.1', '1.2.281474976710656', '1.02.3', 'a.b.c', '1.2.3.'])(
    'error: object %j',
    (text) => {
      expect(() => parseObjectId(text, 'id')).toThrow(/^id: /);
    },
  );

  test.each([-1, 0.5, Number.NaN, INSTANCE_MAX + 1])('error: instance %d', (instance) => {
    expect(() => accountId(instance)).toThrow(FormatError);
    expect(() => contractId(instance)).toThrow(FormatError);
    expect(() => assetId(instance)).toThrow(FormatError);
  });
});

describe('addresses', () => {
  test('default', () => {
    expect(bytesToHex(accountAddress(accountId(26)))).toBe('000000000000000000000000000000000000001a');
    expect(bytesToHex(contractAddress(contractId(5)))).toBe('0100000000000000000000000000000000000005');
  });

  test('behavior: every address encodes its owner', () => {
    fc.assert(
      fc.property(instances, (instance) => {
        const [account, contract] = [accountId(instance), contractId(instance)];
        expect(addressOwner(accountAddress(account))).toEqual({ kind: 'account', id: account });
        expect(addressOwner(contractAddress(contract))).toEqual({ kind: 'contract', id: contract });
      }),
    );
  });

  test.each<[what: string, hex: string]>([
    ['another first byte', '0200000000000000000000000000000000000005'],
    ['a byte between', '0000000000000000000000010000000000000005'],
    ['more than 48 bits', '0000000000000000000000000001000000000000'],
    ['an EVM address', 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
  ])('behavior: %s is neither', (_, hex) => {
    expect(owner(hex)).toEqual({ kind: 'other' });
  });
});
