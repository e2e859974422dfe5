import { Wallet } from 'ethers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, toAddress, toPrefixedHex } from '../bytes/bytes.ts';
import { GROUP_ORDER } from '../curves/recovery.ts';
import { DecodeError, FormatError } from '../protocol-errors.ts';
import { delegationOf, recoverAuthority, signAuthorization } from './authorization.ts';
import { KEY } from './ethereum.testing.ts';
import { parseEthereumTransaction } from './parse-transaction.ts';
import { encodeRlp, type RlpItem } from './rlp.ts';
import { signEthereumTransaction } from './sign-transaction.ts';
import type { SetCodeFields } from './transaction.ts';

const wallet = new Wallet(toPrefixedHex(KEY));
const SIGNER = wallet.address.slice(2).toLowerCase();
const TARGET = toAddress(new Uint8Array(20).fill(0x35));
const SIGNED = signAuthorization({ chainId: 31_337n, address: TARGET, nonce: 7n }, KEY);

const authorityOf = (changes: Partial<typeof SIGNED>): string | undefined => {
  const found = recoverAuthority({ ...SIGNED, ...changes });
  return found && bytesToHex(found);
};

describe('recoverAuthority', () => {
  test('default: the signer of an authorization, also of ethers', () => {
    expect(authorityOf({})).toBe(SIGNER);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }),
        (chainId, nonce) => {
          const address = toPrefixedHex(TARGET);
          const { signature } = wallet.authorizeSync({ chainId, nonce, address });
          const { yParity, r, s } = signature;
          const ours = signAuthorization({ chainId, nonce, address: TARGET }, KEY);
          expect(ours).toEqual({ chainId, nonce, address: TARGET, yParity, r: BigInt(r), s: BigInt(s) });
          expect(recoverAuthority(ours)).toEqual(recoverAuthority(SIGNED));
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    ['a nonce that cannot grow', { nonce: 2n ** 64n - 1n }],
    ['a parity of 2', { yParity: 2 }],
    ['s in the upper half', { s: GROUP_ORDER - SIGNED.s, yParity: 1 - SIGNED.yParity }],
    ['r of 0', { r: 0n }],
    ['s of 0', { s: 0n }],
    ['r beyond the order', { r: 2n ** 256n - 1n }],
    ['r of no point', { r: 5n }],
  ])('behavior: nobody for %s', (_title, changes) => {
    expect(authorityOf(changes)).toBeUndefined();
  });

  test.each([
    ['chain id', { chainId: 0n }],
    ['address', { address: toAddress(new Uint8Array(20)) }],
    ['nonce', { nonce: 8n }],
  ])('behavior: another signer for another %s', (_title, changes) => {
    expect(authorityOf(changes)).not.toBe(SIGNER);
  });
});

describe('delegationOf', () => {
  const code = Uint8Array.of(0xef, 0x01, 0x00, ...TARGET);

  test('default: the address behind the prefix', () => {
    expect(delegationOf(code)).toEqual(TARGET);
  });

  test.each([
    ['no code', new Uint8Array()],
    ['22 bytes', code.slice(1)],
    ['24 bytes', Uint8Array.of(...code, 0)],
    ['another prefix', Uint8Array.of(0xef, 0x01, 0x01, ...TARGET)],
  ])('behavior: none for %s', (_title, other) => {
    expect(delegationOf(other)).toBeUndefined();
  });
});

describe('transactions of type 4', () => {
  const fields: SetCodeFields = {
    type: 'setCode',
    chainId: 31_337n,
    nonce: 1n,
    maxFeePerGas: 5n,
    maxPriorityFeePerGas: 1n,
    gas: 100_000n,
    to: TARGET,
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    authorizationList: [SIGNED],
  };

  test('default: ethers signs the same bytes', async () => {
    const { data, accessList: _list, authorizationList: _authorizations, type: _type, ...rest } = fields;
    const signature = { r: SIGNED.r, s: SIGNED.s, yParity: SIGNED.yParity };
    const raw = await wallet.signTransaction({
      ...rest,
      type: 4,
      nonce: 1,
      to: toPrefixedHex(TARGET),
      data: toPrefixedHex(data),
      gasLimit: fields.gas,
      authorizationList: [
        {
          ...{ chainId: SIGNED.chainId, nonce: SIGNED.nonce, address: toPrefixedHex(TARGET) },
          signature: {
            ...{ r: wordOf(signature.r), s: wordOf(signature.s) },
            yParity: signature.yParity === 1 ? 1 : 0,
          },
        },
      ],
    });
    expect(toPrefixedHex(signEthereumTransaction(fields, KEY))).toBe(raw);
  });

  test('error: an empty list, which is not signed either', () => {
    expect(() => signEthereumTransaction({ ...fields, authorizationList: [] }, KEY)).toThrow(FormatError);
  });

  const no = new Uint8Array();
  const one = Uint8Array.of(1);
  const entry: readonly RlpItem[] = [one, TARGET, no, no, one, one];
  const parse = (to: RlpItem, list: RlpItem) => {
    const items = [one, no, no, one, one, to, no, no, [], list, no, one, one];
    return parseEthereumTransaction(Uint8Array.of(4, ...encodeRlp(items)));
  };

  test('behavior: an invalid signature of an entry is read', () => {
    const list = [[one, TARGET, no, Uint8Array.of(255), new Uint8Array(32).fill(255), no]];
    expect(parse(TARGET, list)).toMatchObject({
      authorizationList: [{ yParity: 255, r: 2n ** 256n - 1n, s: 0n }],
    });
  });

  test.each<[string, RlpItem, RlpItem, string]>([
    ['no receiver', no, [entry], 'transaction.to at byte 7: EIP-7702 transaction cannot be used to create'],
    ['no entry', TARGET, [], 'set code tx must have at least one authorization tuple'],
    ['a string for an entry', TARGET, [TARGET], 'transaction.authorizationList[0]'],
    ['a string for the list', TARGET, TARGET, 'transaction.authorizationList'],
    ['seven items', TARGET, [entry, [...entry, one]], 'authorizationList[1] at byte 87: 1 bytes too many'],
    ['five items', TARGET, [entry.slice(1)], 'authorizationList[0]'],
    ['a short address', TARGET, [entry.with(1, one)], 'authorizationList[0].address'],
    [
      'a nonce of nine bytes',
      TARGET,
      [entry.with(2, new Uint8Array(9).fill(1))],
      'authorizationList[0].nonce',
    ],
    ['a parity of two bytes', TARGET, [entry.with(3, Uint8Array.of(1, 0))], 'authorizationList[0].yParity'],
    ['zeros before r', TARGET, [entry.with(4, Uint8Array.of(0, 1))], 'authorizationList[0].r'],
    ['an s of 33 bytes', TARGET, [entry.with(5, new Uint8Array(33).fill(1))], 'authorizationList[0].s'],
  ])('error: %s', (_title, to, list, message) => {
    expect(() => parse(to, list)).toThrow(DecodeError);
    expect(() => parse(to, list)).toThrow(message);
  });
});

function wordOf(number: bigint): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
