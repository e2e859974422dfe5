import { JsonRpcProvider, verifyTypedData as recoverByEthers, verifyMessage } from 'ethers';
import { createWalletClient, type Hex, http, recoverMessageAddress, recoverTypedDataAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

/** A test node, which signs for clients. */

let program: Program;
let alice: Hex;
let bob: Hex;
/** The address recovered from signatures of alice. */
let evmAddress = '';

const TYPED = {
  domain: { name: 'Permits', version: '1', chainId: 255, verifyingContract: `0x01${'0'.repeat(38)}` },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { owner: `0x${'11'.repeat(20)}`, value: 7n },
} as const;

beforeAll(async () => {
  program = await startProgram();
  [alice = '0x', bob = '0x'] = await program.call<Hex[]>('eth_requestAccounts');
  [, evmAddress = ''] = await program.printed(/^EVM addresses\n\(0\) (0x[0-9a-f]{40})$/m);
});

afterAll(() => program.stop());

test('default: viem', async () => {
  const wallet = createWalletClient({ account: alice, transport: http(program.clientUrl) });
  const signature = await wallet.signMessage({ message: 'hello' });
  expect((await recoverMessageAddress({ message: 'hello', signature })).toLowerCase()).toBe(evmAddress);
  const typed = await wallet.signTypedData(TYPED);
  expect((await recoverTypedDataAddress({ ...TYPED, signature: typed })).toLowerCase()).toBe(evmAddress);
  expect(await wallet.requestAddresses()).toContain(alice);
});

test('default: ethers', async () => {
  const provider = new JsonRpcProvider(program.clientUrl, 255, { staticNetwork: true });
  const signer = await provider.getSigner(alice);
  expect(verifyMessage('hello', await signer.signMessage('hello')).toLowerCase()).toBe(evmAddress);
  const { domain, message } = TYPED;
  const types = { Permit: [...TYPED.types.Permit] };
  const signature = await signer.signTypedData(domain, types, message);
  expect(recoverByEthers(domain, types, message, signature).toLowerCase()).toBe(evmAddress);
  provider.destroy();
});

test('behavior: personal_ecRecover finds the signer', async () => {
  for (const message of ['0x68656c6c6f', 'a text']) {
    const signature = await program.call('personal_sign', message, alice);
    expect(await program.call('personal_ecRecover', message, signature)).toBe(evmAddress);
  }
});

// The words are geth's (internal/ethapi and node's personal API).
test.each([
  [`0x${'11'.repeat(64)}`, 'signature must be 65 bytes long'],
  [`0x${'11'.repeat(64)}1d`, 'invalid Ethereum signature (V is not 27 or 28)'],
  [`0x${'ff'.repeat(64)}1b`, 'invalid signature'],
])('error: personal_ecRecover of %s', async (signature, message) => {
  const response = await program.response('personal_ecRecover', '0x00', signature);
  expect(errorOf(response)).toMatchObject({ code: -32000, message });
});

test('args: a text, DATA, and the order of eth_sign', async () => {
  const signed = await program.call('eth_sign', alice, '0x68656c6c6f');
  expect(await program.call('personal_sign', '0x68656c6c6f', alice)).toBe(signed);
  expect(await program.call('personal_sign', 'hello', alice, '')).toBe(signed);
});

test('args: typed data as an object or as JSON, under each name', async () => {
  const data = { ...TYPED, message: { ...TYPED.message, value: '7' } };
  const signed = await program.call('eth_signTypedData_v4', alice, data);
  for (const method of ['eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4']) {
    expect(await program.call(method, alice, JSON.stringify(data))).toBe(signed);
  }
});

test('default: a signed transaction is sent later', async () => {
  const before = BigInt(await program.call<string>('eth_getBalance', bob));
  const request = { from: alice, to: bob, value: '0x7' };
  const raw = await program.call('eth_signTransaction', request);
  expect(BigInt(await program.call<string>('eth_getBalance', bob))).toBe(before);
  await program.call('eth_sendRawTransaction', raw);
  expect(BigInt(await program.call<string>('eth_getBalance', bob))).toBe(before + 7n);
  expect(await program.call('personal_signTransaction', request, '')).toMatch(/^0x[0-9a-f]{100}/);
});

test('error: locks, passphrases, data that is none', async () => {
  await program.call('personal_lockAccount', bob);
  const refused = async (method: string, ...parameters: readonly unknown[]) => {
    const { code, message } = errorOf(await program.response(method, ...parameters));
    return [code, message];
  };
  const locked = [-32000, `account ${bob} is locked`];
  expect(await refused('personal_sign', 'hello', bob)).toEqual(locked);
  expect(await refused('eth_signTypedData_v4', bob, { ...TYPED, message: {} })).toEqual(locked);
  expect(await refused('eth_signTransaction', { from: bob, to: alice })).toEqual(locked);
  const wrong = [-32000, `wrong passphrase for account ${bob}`];
  expect(await refused('personal_sign', 'hello', bob, 'x')).toEqual(wrong);
  expect(await refused('personal_signTransaction', { from: bob, to: alice }, 'x')).toEqual(wrong);
  expect(await program.call('personal_sign', 'hello', bob, '')).toMatch(/^0x[0-9a-f]{130}$/);
  await program.call('personal_unlockAccount', bob, '', 0);
  const expected = (message: string) => [-32602, `invalid parameter 2 (typedData): ${message}`];
  expect(await refused('eth_signTypedData_v4', alice, 'hello')).toEqual(
    expected('expected an object, got a string'),
  );
  expect(await refused('eth_signTypedData_v4', alice, [])).toEqual(
    expected('expected an object, got an array'),
  );
  expect(await refused('eth_signTypedData_v4', alice, { ...TYPED, message: { owner: alice } })).toEqual([
    -32602,
    'invalid parameter 2 (typedData): invalid typed data: message.value: expected a value of type uint256',
  ]);
  const long = { ...TYPED, message: { owner: alice, value: '0'.repeat(300_000) } };
  expect((await refused('eth_signTypedData_v4', alice, long))[1]).toContain(
    'expected at most 262144 characters',
  );
});
