import { recoverAddress, Transaction, TypedDataEncoder, verifyMessage } from 'ethers';
import { expect, test } from 'vitest';
import { bytesToHex, keccak256, toAddress, toPrefixedHex, toSeed, utf8ToBytes } from '../protocol/index.ts';
import { EthereumWallet, evmAddressOf } from './index.ts';

const KEYS = [0, 1, 2].map((index) => toSeed(keccak256(utf8ToBytes(`key ${index}`))));
const ADDRESSES = KEYS.map(evmAddressOf);
const BOB = evmAddressOf(toSeed(keccak256(utf8ToBytes('key 1'))));
const STRANGER = toAddress(new Uint8Array(20).fill(7));
const wallet = new EthereumWallet(KEYS);

test('default: a signed transaction is by the account', () => {
  const fields = {
    ...({
      type: 'dynamicFee',
      chainId: 255n,
      nonce: 3n,
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
    } as const),
    ...{ gas: 21_000n, to: STRANGER, value: 5n, data: new Uint8Array(), accessList: [] },
  };
  const read = Transaction.from(toPrefixedHex(wallet.signTransaction(BOB, fields)));
  expect(read).toMatchObject({ type: 2, nonce: 3, gasLimit: 21_000n, chainId: 255n, value: 5n });
  expect(read.from?.toLowerCase()).toBe(toPrefixedHex(BOB));
  expect(() => wallet.signTransaction(STRANGER, fields)).toThrow('unknown account');
});

test('default: signatures of messages and of typed data are by the account', () => {
  expect(wallet.list()).toEqual(ADDRESSES);
  expect([wallet.holds(BOB), wallet.holds(STRANGER)]).toEqual([true, false]);
  const message = utf8ToBytes('hello');
  const signature = toPrefixedHex(wallet.signMessage(BOB, message));
  expect(verifyMessage(message, signature).toLowerCase()).toBe(toPrefixedHex(BOB));
  const types = { Mail: [{ name: 'text', type: 'string' }] };
  const typed = { domain: { name: 'Test', chainId: 255 }, message: { text: 'hello' } };
  const digest = TypedDataEncoder.hash(typed.domain, types, typed.message);
  const data = { types: new Map(Object.entries(types)), primaryType: 'Mail', ...typed };
  const by = recoverAddress(digest, `0x${bytesToHex(wallet.signTypedData(BOB, data))}`);
  expect(by.toLowerCase()).toBe(toPrefixedHex(BOB));
  expect(() => wallet.signMessage(STRANGER, message)).toThrow('unknown account');
  expect(() => wallet.signTypedData(STRANGER, data)).toThrow('unknown account');
});
