import { recoverAddress, Transaction, TypedDataEncoder, verifyMessage } from 'ethers';
import { beforeEach, describe, expect, test } from 'vitest';
import { ethereumGenesis } from '../ledger/ethereum.testing.ts';
import { ExecutionRevertedError, type Ledger, RefusedError } from '../ledger/index.ts';
import { openTestLedger } from '../ledger/ledger.testing.ts';
import { WEI_PER_UNIT } from '../limits.ts';
import {
  type Address,
  bytesToHex,
  createAddress,
  hexToBytes,
  keccak256,
  toAddress,
  toPrefixedHex,
  toSeed,
  utf8ToBytes,
} from '../protocol/index.ts';
import { type EthereumRequest, EthereumWallet, evmAddressOf, WalletError } from './index.ts';

const KEYS = [0, 1, 2].map((index) => toSeed(keccak256(utf8ToBytes(`key ${index}`))));
const [ALICE, BOB, CAROL] = KEYS.map(evmAddressOf) as [Address, Address, Address];
const ETHER = 10n ** 18n;
const STRANGER = toAddress(new Uint8Array(20).fill(7));

let ledger: Ledger;
let wallet: EthereumWallet;

async function open(production: 'instant' | 'onDemand'): Promise<void> {
  const accounts = [ALICE, BOB].map((address) => ({ address, balance: 10n ** 12n }));
  ({ ledger } = await openTestLedger({ genesis: ethereumGenesis({ accounts }), production }));
  wallet = new EthereumWallet(ledger, KEYS);
}

beforeEach(() => open('instant'));

/** What a client reads of the signed transaction of a request. */
function signed(request: Partial<EthereumRequest>): Transaction {
  const fields = wallet.fill({ from: ALICE, to: BOB, ...request });
  return Transaction.from(toPrefixedHex(wallet.signTransaction(ALICE, fields)));
}

describe('signTransaction', () => {
  test('default: what is absent is filled in, and the type follows from the fields', () => {
    const own = signed({ value: 5n });
    expect(own).toMatchObject({ type: 2, nonce: 0, gasLimit: 21_000n, chainId: 255n, value: 5n });
    expect([own.maxFeePerGas, own.maxPriorityFeePerGas]).toEqual([2n * WEI_PER_UNIT, 0n]);
    expect(own.from?.toLowerCase()).toBe(toPrefixedHex(ALICE));
    const accessList = [{ address: BOB, storageKeys: [] }];
    expect(signed({ gasPrice: 3n * WEI_PER_UNIT })).toMatchObject({ type: 0, gasPrice: 3n * WEI_PER_UNIT });
    expect(signed({ gasPrice: 3n * WEI_PER_UNIT, accessList }).type).toBe(1);
    expect(signed({ accessList })).toMatchObject({ type: 2, gasLimit: 23_400n });
    expect(signed({ maxPriorityFeePerGas: 4n }).maxFeePerGas).toBe(2n * WEI_PER_UNIT + 4n);
    expect(signed({ nonce: 7n, gas: 99_000n, chainId: 255n })).toMatchObject({ nonce: 7, gasLimit: 99_000n });
    expect(ledger.head().number).toBe(0);
  });

  test('default: a creation', () => {
    const data = hexToBytes('6001600c60003960016000f300');
    wallet.sendTransaction({ from: ALICE, data });
    expect(ledger.receiptOf(1, 0)).toMatchObject({ contractAddress: createAddress(ALICE, 0n) });
  });

  test.each<[string, Partial<EthereumRequest>]>([
    ['unknown account', { from: STRANGER }],
    ['contract creation without any data provided', { to: undefined }],
    ["chainId does not match node's (have=1, want=255)", { chainId: 1n }],
    [
      'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
      { gasPrice: 1n, maxFeePerGas: 1n },
    ],
    ['maxFeePerGas (1) < maxPriorityFeePerGas (2)', { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }],
  ])('error: what contradicts itself, or has no key: %s', (message, request) => {
    expect(() => wallet.sendTransaction({ from: ALICE, to: BOB, ...request })).toThrow(WalletError);
    expect(() => wallet.sendTransaction({ from: ALICE, to: BOB, ...request })).toThrow(message);
  });
});

describe('sendTransaction', () => {
  test('default: its hash is that of its bytes, and each has the nonce behind the one before', () => {
    const request = { from: ALICE, to: BOB, value: ETHER };
    const raw = wallet.signTransaction(ALICE, wallet.fill(request));
    expect(wallet.sendTransaction(request)).toEqual(keccak256(raw));
    wallet.sendTransaction(request);
    expect(ledger.nonceOf(ALICE)).toBe(2n);
    expect(ledger.weiBalanceOf(BOB)).toBe(10_002n * ETHER);
  });

  test('behavior: nonce and gas are those of the pending state', async () => {
    await open('onDemand');
    wallet.sendTransaction({ from: ALICE, to: CAROL, value: ETHER });
    wallet.sendTransaction({ from: ALICE, data: hexToBytes('6004600c60003960046000f3600054500000') });
    const contract = createAddress(ALICE, 1n);
    expect(wallet.fill({ from: ALICE, to: contract })).toMatchObject({ nonce: 2n });
    expect(wallet.fill({ from: ALICE, to: contract }).gas).toBeGreaterThan(21_000n);
    wallet.sendTransaction({ from: CAROL, to: BOB, value: ETHER / 2n });
    expect(ledger.mine().operationCount).toBe(3);
  });

  test('error: what the ledger refuses, in the words that clients know', () => {
    expect(() => wallet.sendTransaction({ from: ALICE, to: BOB, value: 10_001n * ETHER })).toThrow(
      RefusedError,
    );
    expect(() => wallet.sendTransaction({ from: ALICE, to: BOB, gas: 20_000n })).toThrow(
      'intrinsic gas too low',
    );
    expect(() => wallet.sendTransaction({ from: ALICE, data: hexToBytes('5f5ffd') })).toThrow(
      ExecutionRevertedError,
    );
    expect(() => wallet.sendTransaction({ from: ALICE, to: BOB, gasPrice: 1n })).toThrow(
      'max fee per gas less than block base fee',
    );
    expect(ledger.head().number).toBe(0);
  });
});

test('default: signatures of messages and of typed data are by the account', () => {
  expect(wallet.list()).toEqual([ALICE, BOB, CAROL]);
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
