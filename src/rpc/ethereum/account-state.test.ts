import { expect, test } from 'vitest';
import { ethereumAddress, sendBy } from '../../ledger/ethereum.testing.ts';
import { createAddress, keccak256, toPrefixedHex } from '../../protocol/index.ts';
import { ADDRESS, ethereumCall } from '../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from './chain.testing.ts';

const EMPTY_CODE_HASH = toPrefixedHex(keccak256(new Uint8Array()));
const EMPTY_ROOT = toPrefixedHex(keccak256(Uint8Array.of(0x80)));
const NOTHING = { balance: '0x0', nonce: '0x0', codeHash: EMPTY_CODE_HASH };

/** A chain whose second block creates a contract, and whose third has it store a word. */
async function openChain() {
  const { ledger, dispatcher } = await openEthereumChain();
  const contract = createAddress(ethereumAddress(0), 1n);
  sendBy(0, ledger, { value: 1n });
  sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
  sendBy(0, ledger, { to: contract, data: word(7), gas: 100_000n });
  const ask = (method: string, ...params: readonly unknown[]): unknown =>
    ethereumCall(dispatcher, method, ...params);
  return { ask, key: toPrefixedHex(ethereumAddress(0)), contract: toPrefixedHex(contract) };
}

test('default: of a key account, of a contract, and of an empty address', async () => {
  const { ask, key, contract } = await openChain();
  const balance = ask('eth_getBalance', key, 'latest');
  const ofKey = { balance, nonce: '0x3', codeHash: EMPTY_CODE_HASH };
  const codeHash = toPrefixedHex(
    keccak256(Buffer.from(String(ask('eth_getCode', contract)).slice(2), 'hex')),
  );
  const ofContract = { balance: '0x0', nonce: '0x1', codeHash };
  expect(ask('eth_getAccount', key, 'latest')).toEqual({ ...ofKey, storageRoot: EMPTY_ROOT });
  expect(ask('eth_getAccount', contract, 'latest')).toEqual({ ...ofContract, storageRoot: null });
  expect(ask('eth_getAccount', ADDRESS)).toMatchObject({
    codeHash: EMPTY_CODE_HASH,
    storageRoot: EMPTY_ROOT,
  });
  const proven = (address: string, account: object, storageHash: string): void => {
    const nothing = { accountProof: [], storageProof: [] };
    expect(ask('eth_getProof', address, [], 'latest')).toEqual({
      address,
      ...account,
      storageHash,
      ...nothing,
    });
  };
  proven(key, ofKey, EMPTY_ROOT);
  proven(contract, ofContract, `0x${'00'.repeat(32)}`);
  proven(`0x${'ab'.repeat(20)}`, NOTHING, EMPTY_ROOT);
});

test('default: of the block that is named', async () => {
  const { ask, contract } = await openChain();
  const at = (block: string): unknown => ask('eth_getAccount', contract, block);
  expect(at('0x1')).toEqual({ ...NOTHING, storageRoot: EMPTY_ROOT });
  expect(at('0x2')).toMatchObject({ nonce: '0x1', storageRoot: EMPTY_ROOT });
  expect(at('0x3')).toMatchObject({ nonce: '0x1', storageRoot: null });
  expect(ask('eth_getProof', contract, [], '0x2')).toMatchObject({ nonce: '0x1', storageHash: EMPTY_ROOT });
  expect(at('0x9')).toEqual({ code: -32000, message: 'header not found' });
});

test('error: a proof of a slot, and slots that are none', async () => {
  const { ask, contract } = await openChain();
  expect(ask('eth_getProof', contract, ['0x0'], 'latest')).toEqual({
    code: -32000,
    message: 'this chain has no state trie, which proofs need: create it with --ethereum --state-trie',
  });
  expect(ask('eth_getProof', contract, ['x'], 'latest')).toMatchObject({ code: -32602 });
  expect(ask('eth_getProof', contract)).toEqual({
    code: -32602,
    message: 'missing value for required argument 1 (storageKeys)',
  });
});
