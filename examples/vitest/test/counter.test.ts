import { createTestClient, http, parseAbi, parseEther, publicActions, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compile } from './compile.ts';

const abi = parseAbi([
  'constructor()',
  'error NotOwner(address caller)',
  'event Incremented(address indexed by, uint256 number)',
  'function increment()',
  'function number() view returns (uint256)',
  'function reset()',
]);

const { ethereumUrl, ethereumAccounts } = inject('ledgerd');
const [owner, other] = ethereumAccounts.map(({ privateKey }) => privateKeyToAccount(privateKey));

const client = createTestClient({
  account: owner,
  chain: foundry,
  mode: 'anvil',
  transport: http(ethereumUrl),
  // The cache does not know of reverts.
  cacheTime: 0,
})
  .extend(publicActions)
  .extend(walletActions);

let snapshot: `0x${string}`;

beforeEach(async () => {
  snapshot = await client.snapshot();
});

afterEach(() => client.revert({ id: snapshot }));

async function deployCounter() {
  const hash = await client.deployContract({ abi, bytecode: compile('Counter') });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('the contract was not deployed');
  return { abi, address: contractAddress };
}

test('a transfer arrives', async () => {
  const hash = await client.sendTransaction({ to: other.address, value: parseEther('1') });
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  expect(await client.getBalance({ address: other.address })).toBe(parseEther('10001'));
});

test('a snapshot undoes the transfer', async () => {
  expect(await client.getBalance({ address: other.address })).toBe(parseEther('10000'));
});

test('the counter counts, and reports it', async () => {
  const counter = await deployCounter();
  const hash = await client.writeContract({ ...counter, functionName: 'increment' });
  const { blockNumber } = await client.waitForTransactionReceipt({ hash });
  expect(await client.readContract({ ...counter, functionName: 'number' })).toBe(1n);
  const events = await client.getContractEvents({
    ...counter,
    eventName: 'Incremented',
    fromBlock: blockNumber,
  });
  expect(events.map(({ args }) => args)).toEqual([{ by: owner.address, number: 1n }]);
});

test('only the owner resets it', async () => {
  const counter = await deployCounter();
  const reset = client.simulateContract({ ...counter, functionName: 'reset', account: other });
  await expect(reset).rejects.toThrow('NotOwner(address caller)');
});

test('time travel', async () => {
  const { timestamp } = await client.getBlock();
  await client.increaseTime({ seconds: 86_400 });
  await client.mine({ blocks: 1 });
  const { timestamp: later } = await client.getBlock();
  expect(later - timestamp).toBeGreaterThanOrEqual(86_400n);
});
