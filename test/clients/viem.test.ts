import {
  type Address,
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeAbiParameters,
  encodeFunctionData,
  type Hash,
  http,
  keccak256,
  parseEventLogs,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KNOWS_ETHEREUM, WEI_OF_UNIT } from '../chain-kind.ts';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';

/** The base fee that contracts see. */
const BASE_FEE = KNOWS_ETHEREUM ? WEI_OF_UNIT : 0n;
/** The error for a signed Ethereum transaction at `/`. */
const HINT = KNOWS_ETHEREUM
  ? '/ accepts native transactions: send it to /ethereum of this node'
  : 'this ledger takes native ones: let the node sign it';

let program: Program;
let token: CompiledContract;
let probe: CompiledContract;
let clients: Awaited<ReturnType<typeof connect>>;

beforeAll(async () => {
  [program, token, probe] = await Promise.all([
    startProgram(),
    compileContract('Token'),
    compileContract('Probe'),
  ]);
  clients = await connect();
});

afterAll(() => program.stop());

async function connect() {
  const chain = defineChain({
    id: 255,
    name: 'ledgerd',
    nativeCurrency: { name: 'unit', symbol: 'UNIT', decimals: 0 },
    rpcUrls: { default: { http: [program.clientUrl] } },
  });
  const transport = http(program.clientUrl);
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 });
  const [alice, bob] = await createWalletClient({ chain, transport }).getAddresses();
  if (alice === undefined || bob === undefined) throw new Error('there are no test accounts');
  return { reader, writer: createWalletClient({ chain, transport, account: alice }), alice, bob };
}

async function deploy(contract: CompiledContract, ...args: unknown[]): Promise<Address> {
  const hash = await clients.writer.deployContract({ abi: contract.abi, bytecode: contract.bytecode, args });
  const { contractAddress, status } = await clients.reader.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
  if (contractAddress === null || contractAddress === undefined) throw new Error('no contract was created');
  return contractAddress;
}

async function received(hash: Hash) {
  return clients.reader.waitForTransactionReceipt({ hash });
}

/** Returns the revert error of a call. */
async function revertOf(call: Promise<unknown>): Promise<ContractFunctionRevertedError> {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (!(failure instanceof ContractFunctionExecutionError)) throw new Error(`no revert: ${failure}`);
  const reason = failure.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(reason instanceof ContractFunctionRevertedError)) throw new Error(`no revert: ${failure.message}`);
  return reason;
}

test('default: the chain', async () => {
  expect(await clients.reader.getChainId()).toBe(255);
  expect(await clients.reader.getGasPrice()).toBe(1n);
  expect(await clients.reader.getBlock()).toMatchObject({ number: await clients.reader.getBlockNumber() });
});

test('behavior: a token is deployed, and moves', async () => {
  const { reader, writer, alice, bob } = clients;
  const address = await deploy(token, 'Ledger Token', 'LT', 10n ** 24n);
  expect(address).toMatch(/^0x01/);
  const of = (account: Address) =>
    reader.readContract({ address, abi: token.abi, functionName: 'balanceOf', args: [account] });
  expect(await reader.readContract({ address, abi: token.abi, functionName: 'name' })).toBe('Ledger Token');
  expect(await of(alice)).toBe(10n ** 24n);

  const { request } = await reader.simulateContract({
    address,
    abi: token.abi,
    functionName: 'transfer',
    args: [bob, 5n],
    account: alice,
  });
  const receipt = await received(await writer.writeContract(request));
  expect(receipt.status).toBe('success');
  expect([await of(alice), await of(bob)]).toEqual([10n ** 24n - 5n, 5n]);
  const events = parseEventLogs({ abi: token.abi, logs: receipt.logs });
  expect(events).toMatchObject([
    { eventName: 'Transfer', args: { from: alice, to: bob, value: 5n }, address: address.toLowerCase() },
  ]);
  expect(await reader.getCode({ address })).toMatch(/^0x6080/);
});

test('behavior: the reasons of reverted calls', async () => {
  const address = await deploy(token, 'Ledger Token', 'LT', 1n);
  const call = { address, abi: token.abi, account: clients.bob } as const;
  const text = await revertOf(
    clients.reader.readContract({ ...call, functionName: 'requireBalance', args: [clients.bob, 1n] }),
  );
  expect(text.reason).toBe('balance is too small');
  const custom = await revertOf(
    clients.reader.simulateContract({ ...call, functionName: 'transfer', args: [clients.alice, 7n] }),
  );
  expect(custom.data).toMatchObject({ errorName: 'ERC20InsufficientBalance', args: [clients.bob, 0n, 7n] });
  const panicking = await deploy(probe);
  const panic = await revertOf(
    clients.reader.readContract({
      address: panicking,
      abi: probe.abi,
      functionName: 'divide',
      args: [1n, 0n],
    }),
  );
  expect(panic.data).toMatchObject({ errorName: 'Panic', args: [0x12n] });
});

test('behavior: a reverted transaction is included and charged, and changes no state', async () => {
  const { reader, writer, alice } = clients;
  const address = await deploy(probe);
  const before = await reader.getBalance({ address: alice });
  const hash = await writer.writeContract({
    address,
    abi: probe.abi,
    functionName: 'noteAndFail',
    args: [1n, 2n],
    gas: 200_000n,
  });
  const receipt = await received(hash);
  expect(receipt).toMatchObject({ status: 'reverted', logs: [] });
  expect(await reader.getBalance({ address: alice })).toBe(before - receipt.gasUsed);
  expect(receipt.gasUsed).toBeGreaterThan(21_000n);
  expect(receipt.gasUsed).toBeLessThan(200_000n);
  expect(await reader.readContract({ address, abi: probe.abi, functionName: 'notes', args: [1n] })).toBe(0n);
});

test('behavior: a contract reads the number, timestamp and other fields of its block', async () => {
  const { reader, writer } = clients;
  const address = await deploy(probe);
  const receipt = await received(
    await writer.writeContract({ address, abi: probe.abi, functionName: 'see' }),
  );
  const block = await reader.getBlock({ blockHash: receipt.blockHash });
  const [seen] = parseEventLogs({ abi: probe.abi, logs: receipt.logs });
  expect(seen).toMatchObject({
    eventName: 'Seen',
    args: {
      timestamp: block.timestamp,
      number: block.number,
      chainId: 255n,
      parentHash: block.parentHash,
      baseFee: BASE_FEE,
      gasPrice: WEI_OF_UNIT,
    },
  });
  const surroundings = await reader.readContract({ address, abi: probe.abi, functionName: 'surroundings' });
  expect(surroundings).toEqual([
    255n,
    BASE_FEE,
    WEI_OF_UNIT,
    expect.stringMatching(new RegExp(block.miner, 'i')),
  ]);
});

test('behavior: storage of a mapping, value that stays with a contract', async () => {
  const { reader, writer } = clients;
  const address = await deploy(probe);
  const note = { address, abi: probe.abi, functionName: 'note' } as const;
  await received(await writer.writeContract({ ...note, args: [7n, 77n], value: 5n }));
  await received(await writer.writeContract({ ...note, args: [8n, 88n] }));
  expect(await reader.getBalance({ address })).toBe(5n);
  const slot = keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, 0n]));
  expect(await reader.getStorageAt({ address, slot })).toBe(`0x${'4d'.padStart(64, '0')}`);
});

test('behavior: overrides and access lists', async () => {
  const { reader, alice } = clients;
  const address = await deploy(probe);
  const nobody = `0x${'77'.repeat(20)}` as const;
  // Returns its own balance.
  const stateOverride = [{ address: nobody, code: '0x4760005260206000f3', balance: 5n }] as const;
  expect(await reader.call({ to: nobody, stateOverride: [...stateOverride] })).toEqual({
    data: `0x${(5n * WEI_OF_UNIT).toString(16).padStart(64, '0')}`,
  });
  expect(
    await reader.estimateGas({ account: alice, to: nobody, stateOverride: [...stateOverride] }),
  ).toBeGreaterThan(21_000n);
  const data = encodeFunctionData({ abi: probe.abi, functionName: 'notes', args: [7n] });
  const slot = keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, 0n]));
  const { accessList } = await reader.createAccessList({ account: alice, to: address, data });
  expect(accessList).toEqual([{ address: address.toLowerCase(), storageKeys: [slot] }]);
});

test('behavior: fees, receipts of a block', async () => {
  const { reader, writer, bob } = clients;
  await received(await writer.sendTransaction({ to: bob, value: 1n }));
  const history = await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] });
  expect(history).toMatchObject({ baseFeePerGas: [0n, 0n, 0n], reward: [[1n], [1n]] });
  expect(await reader.estimateMaxPriorityFeePerGas()).toBe(1n);
  expect(await reader.getBlobBaseFee()).toBe(1n);
  const [receipt] = await program.call<object[]>('eth_getBlockReceipts', 'latest');
  expect(receipt).toMatchObject({ type: '0x0', effectiveGasPrice: '0x1' });
});

describe('a key of the banner in a local wallet', () => {
  test('error: its EVM address as the sender: the account is named', async () => {
    const { reader, alice, bob } = clients;
    const [record] = await program.call<{ address: string; privkey: Hash }[]>('personal_listRawAccounts');
    const account = privateKeyToAccount(record?.privkey ?? '0x');
    const hint = `${account.address.toLowerCase()} is the EVM address of the account ${alice}: send from that address`;
    const address = await deploy(probe);
    await expect(reader.estimateGas({ account, to: bob, value: 1n })).rejects.toThrow(hint);
    await expect(reader.estimateGas({ account, to: address })).rejects.toThrow(hint);
    await expect(reader.call({ account, to: address, value: 1n })).rejects.toThrow(hint);
    await expect(
      clients.writer.sendTransaction({ account: account.address, to: bob, value: 1n }),
    ).rejects.toThrow(`it is the EVM address of the account ${alice}: give that address`);
  });

  test.each(['legacy', 'eip2930', 'eip1559'] as const)('error: a signed transaction: %s', async (type) => {
    const { reader, bob } = clients;
    const account = privateKeyToAccount(generatePrivateKey());
    const fees = type === 'eip1559' ? { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } : { gasPrice: 1n };
    const request = { to: bob, value: 1n, nonce: 0, gas: 21_000n, chainId: 255, ...fees };
    // The kind decides which fields there are, which the types of viem cannot follow.
    const serializedTransaction = await account.signTransaction({ ...request, type } as never);
    const kind = { legacy: 'legacy', eip2930: 'type 1', eip1559: 'type 2' }[type];
    await expect(reader.sendRawTransaction({ serializedTransaction })).rejects.toThrow(
      `this is an Ethereum transaction (${kind}), and ${HINT}`,
    );
  });
});
