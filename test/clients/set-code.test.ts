import { type AuthorizationLike, Interface, JsonRpcProvider, Wallet } from 'ethers';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  parseAbi,
  parseEther,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';
import { call } from '../rpc-client.js';

/** Accounts of keys that run code (EIP-7702), by clients as they are. */

const ABI = parseAbi([
  'struct Call { address to; uint256 value; bytes data; }',
  'function execute(Call[] calls) payable',
  'function ping() view returns (uint256)',
]);
const RECEIVERS: readonly Address[] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`];
const MNEMONIC = 'test test test test test test test test test test test junk';

let program: Program;
let url: string;
let batch: Address;
let other: Address;

beforeAll(async () => {
  const [started, ...contracts] = await Promise.all([
    startProgram('--ethereum'),
    compileContract('Batch'),
    compileContract('Batch', 'Other'),
  ]);
  program = started;
  url = `${program.url}/ethereum`;
  const deployer = walletOf(0);
  const deployed = async ({ bytecode }: CompiledContract): Promise<Address> => {
    const hash = await deployer.deployContract({ abi: [], bytecode });
    const { contractAddress } = await reader().waitForTransactionReceipt({ hash });
    return getAddress(contractAddress ?? zeroAddress);
  };
  batch = await deployed(contracts[0]);
  other = await deployed(contracts[1]);
});

afterAll(() => program.stop());

const chain = {
  id: 31_337,
  name: 'test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const;
const reader = () => createPublicClient({ chain, transport: http(url), pollingInterval: 50 });
const walletOf = (addressIndex: number) =>
  createWalletClient({ chain, transport: http(url), account: mnemonicToAccount(MNEMONIC, { addressIndex }) });

const balances = () => Promise.all(RECEIVERS.map((address) => reader().getBalance({ address })));
const delegation = (to: Address): string => `0xef0100${to.slice(2)}`.toLowerCase();

test('default: viem delegates, sends a batch through the delegation, changes it and removes it', async () => {
  const [client, sponsor] = [reader(), walletOf(1)];
  const account = privateKeyToAccount(generatePrivateKey());
  const owner = createWalletClient({ chain, transport: http(url), account });
  const { address } = account;
  await client.waitForTransactionReceipt({
    hash: await sponsor.sendTransaction({ to: address, value: parseEther('1') }),
  });

  const before = await balances();
  const calls = RECEIVERS.map((to, index) => ({ to, value: BigInt(index + 1), data: '0x' as Hex }));
  const data = encodeFunctionData({ abi: ABI, functionName: 'execute', args: [calls] });
  const own = await owner.signAuthorization({ contractAddress: batch, executor: 'self' });
  const hash = await owner.sendTransaction({ to: address, data, authorizationList: [own] });
  const receipt = await client.waitForTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: 'success', type: 'eip7702' });
  expect(receipt.logs).toHaveLength(1);
  expect(await balances()).toEqual(before.map((value, index) => value + BigInt(index + 1)));
  expect(await client.getTransaction({ hash })).toMatchObject({
    type: 'eip7702',
    authorizationList: [{ address: batch.toLowerCase(), chainId: chain.id, nonce: 1 }],
  });
  expect(await client.getCode({ address })).toBe(delegation(batch));
  expect(await client.getDelegation({ address })).toBe(batch);

  const ping = () => client.readContract({ address, abi: ABI, functionName: 'ping' });
  expect(await ping()).toBe(7n);
  const changed = await owner.signAuthorization({ contractAddress: other });
  const sponsored = await sponsor.sendTransaction({
    to: address,
    data: encodeFunctionData({ abi: ABI, functionName: 'ping' }),
    authorizationList: [changed],
  });
  await client.waitForTransactionReceipt({ hash: sponsored });
  expect(await ping()).toBe(8n);

  const removed = await owner.signAuthorization({ contractAddress: zeroAddress });
  await client.waitForTransactionReceipt({
    hash: await sponsor.sendTransaction({ to: address, authorizationList: [removed] }),
  });
  expect(await client.getCode({ address })).toBeUndefined();
  expect(await client.getTransactionCount({ address })).toBe(4);
});

test('default: ethers authorizes and sends', async () => {
  const provider = new JsonRpcProvider(url, chain.id, { staticNetwork: true, cacheTimeout: -1 });
  try {
    const sponsor = Wallet.fromPhrase(MNEMONIC, provider);
    const owner = new Wallet(generatePrivateKey(), provider);
    const authorization: AuthorizationLike = await owner.authorize({
      address: other,
      nonce: 0,
      chainId: chain.id,
    });
    const sent = await sponsor.sendTransaction({
      ...{ type: 4, to: owner.address, authorizationList: [authorization] },
      data: new Interface(['function ping()']).encodeFunctionData('ping'),
    });
    expect(await sent.wait()).toMatchObject({ status: 1, type: 4 });
    expect(await provider.getCode(owner.address)).toBe(delegation(other));
    const found = await provider.getTransaction(sent.hash);
    expect(found?.authorizationList?.[0]).toMatchObject({
      address: other,
      nonce: 0n,
      chainId: BigInt(chain.id),
    });
  } finally {
    provider.destroy();
  }
});

test('default: the node signs for its key, and sends without a signature for an impersonated address', async () => {
  const client = reader();
  const [from] = await (call(url, 'eth_accounts') as Promise<Address[]>);
  const account = privateKeyToAccount(generatePrivateKey());
  const authorizationOf = async (nonce: number) => {
    const { r, s, yParity } = await account.signAuthorization({ address: batch, chainId: chain.id, nonce });
    const hex = (value: number): Hex => `0x${value.toString(16)}`;
    return { address: batch, chainId: hex(chain.id), nonce: hex(nonce), r, s, yParity: hex(yParity ?? 0) };
  };
  const send = async (sender: Address | undefined, nonce: number) => {
    const transaction = {
      from: sender,
      to: account.address,
      authorizationList: [await authorizationOf(nonce)],
    };
    return client.waitForTransactionReceipt({
      hash: (await call(url, 'eth_sendTransaction', transaction)) as Hex,
    });
  };
  expect(await send(from, 0)).toMatchObject({ status: 'success', type: 'eip7702' });
  const stranger: Address = `0x${'d8'.repeat(20)}`;
  await call(url, 'anvil_impersonateAccount', stranger);
  await call(url, 'anvil_setBalance', stranger, '0xde0b6b3a7640000');
  expect(await send(stranger, 1)).toMatchObject({ status: 'success', type: 'eip7702', from: stranger });
  expect(await client.getTransactionCount({ address: account.address })).toBe(2);
});

test('default: viem sends a bundle of calls, which the node runs in one transaction (EIP-5792)', async () => {
  const [account, other] = await call(url, 'eth_accounts').then((list: Address[]) => list.slice(2, 4));
  if (account === undefined || other === undefined) throw new Error('there are no test accounts');
  const wallet = createWalletClient({ chain, transport: http(url), account });
  expect(await wallet.getCapabilities({ account, chainId: chain.id })).toEqual({
    atomic: { status: 'supported' },
  });
  const before = await balances();
  const calls = RECEIVERS.map((to) => ({ to, value: 5n }));
  const { id } = await wallet.sendCalls({ calls, forceAtomic: true });
  const status = await wallet.waitForCallsStatus({ id });
  expect(status).toMatchObject({ status: 'success', statusCode: 200, atomic: true });
  expect(status.receipts).toHaveLength(1);
  expect(await balances()).toEqual(before.map((value) => value + 5n));
  const named = { calls, id: 'a bundle', forceAtomic: true } as const;
  expect(await wallet.sendCalls(named)).toMatchObject({ id: named.id });
  expect(await wallet.getCallsStatus({ id: named.id })).toMatchObject({ statusCode: 200 });
  await expect(wallet.sendCalls(named)).rejects.toThrow('duplicate id');
  await expect(wallet.sendCalls({ calls, account: RECEIVERS[0] })).rejects.toThrow(
    'is not an account of the node',
  );
  await expect(wallet.getCallsStatus({ id: `0x${'00'.repeat(32)}` })).rejects.toThrow('unknown bundle id');
  const failing = [...calls, { to: batch, data: '0x12345678' as Hex }];
  await expect(wallet.sendCalls({ calls: failing })).rejects.toThrow('reverted');
});
