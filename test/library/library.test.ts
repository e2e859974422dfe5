import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserProvider, JsonRpcSigner } from 'ethers';
import {
  type Provider,
  type ProviderMessage,
  ProviderRpcError,
  startTestNode,
  type TestNode,
  type TestNodeOptions,
} from 'ledgerd';
import { createPublicClient, createWalletClient, custom, encodeDeployData, encodeFunctionData } from 'viem';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { Web3 } from 'web3';
import { post } from '../json-rpc.ts';
import { resultOf } from '../rpc-client.js';
import { codeOf, compileChatter, writeHardhat } from '../traces/compiled-project.ts';

const nodes: TestNode[] = [];

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});

async function start(options?: TestNodeOptions): Promise<TestNode> {
  const node = await startTestNode(options);
  nodes.push(node);
  return node;
}

/** Returns the error of a rejected promise. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof Error ? { ...thrown, message: thrown.message } : thrown;
}

test('default: a node of one process, with and without HTTP', async () => {
  const { url, provider, accounts } = await start();
  expect(await provider.request({ method: 'eth_accounts' })).toEqual(accounts.map(({ address }) => address));
  expect(accounts[0]).toMatchObject({ id: '1.2.1024', balance: 10n ** 17n });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ result: accounts.map(({ address }) => address) });
});

test('args: the settings of test mode, by the names of their flags', async () => {
  const { provider, accounts } = await start({
    accounts: 2,
    balance: 5n,
    network: 'dev',
    blockTime: 60,
    settings: { 'max-batch': 1, 'no-mining': true },
  });
  expect(accounts.map(({ balance }) => balance)).toEqual([5n, 5n]);
  expect(await provider.request({ method: 'eth_chainId' })).toBe(224);
  expect(await provider.request({ method: 'eth_mining' })).toBe(false);
});

test('args: a chain that knows Ethereum, with funded keys and a URL for its tools', async () => {
  const { url, ethereumUrl, ethereumAccounts, provider } = await start({ ethereum: true, accounts: 2 });
  expect(ethereumUrl).toBe(`${url}/ethereum`);
  expect(ethereumAccounts).toEqual([
    {
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      balance: 10_000n * 10n ** 18n,
    },
    expect.objectContaining({ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
  ]);
  expect(await provider.request({ method: 'net_version' })).toBe('31337');
  const plain = await start();
  expect([plain.ethereumUrl, plain.ethereumProvider, plain.ethereumAccounts]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});

test('args: root: both interfaces by providers, and the URLs of both', async () => {
  const node = await startTestNode({ root: 'ethereum' });
  nodes.push(node);
  const { url, provider, ethereumUrl, ethereumProvider } = node;
  expect([ethereumUrl, ethereumProvider]).toEqual([url, provider]);
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
  const changed = once(provider, 'accountsChanged');
  const created = await provider.request({ method: 'personal_newAccount', params: [''] });
  expect((await changed).flat()).toContain(created);
  const both = await startTestNode({ ethereum: true });
  nodes.push(both);
  expect(await both.provider.request({ method: 'eth_chainId' })).toBe(31_337);
  expect(await both.ethereumProvider.request({ method: 'eth_chainId' })).toBe('0x7a69');
});

test.each<[options: unknown, message: string | RegExp]>([
  [{ mnemonic: 'a b' }, 'mnemonic needs --ethereum'],
  [{ accounts: 0 }, 'accounts: expected a whole number from 1 to 1000, got 0'],
  [
    { settings: { accounts: 'many' } },
    'settings["accounts"]: expected a whole number from 1 to 1000, got "many"',
  ],
  [{ settings: { 'no-such': 1 } }, 'settings["no-such"]: there is no such option'],
  [{ settings: { genesis: 'file' } }, 'settings["genesis"]: there is no such option'],
  [null, 'the options of a node: expected an object, got null'],
  [5, 'the options of a node: expected an object, got a number'],
  [{ settings: 5 }, 'settings: expected an object, got a number'],
  [{ fork: 'http://user:secret@a' }, /^fork: expected an object, got a string$/],
  [{ onLog: 'x' }, 'onLog: expected a function, got a string'],
  [{ host: '0.0.0.0' }, /^refusing to listen at 0\.0\.0\.0/],
])('error: options %j', async (options, message) => {
  expect(await failureOf(startTestNode(options as TestNodeOptions))).toMatchObject({
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});

test('error: an error of the node has code, message and data of its response', async () => {
  const { provider } = await start();
  const refused = await failureOf(provider.request({ method: 'eth_getBalance', params: ['0x1'] }));
  expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining('address') });
  expect(await failureOf(provider.request({ method: 'eth_no' }))).toMatchObject({ code: -32601 });
  const revert = { data: '0x63deadbeef5f526004601cfd' };
  expect(await failureOf(provider.request({ method: 'eth_call', params: [revert, 'latest'] }))).toMatchObject(
    {
      code: 3,
      data: '0xdeadbeef',
    },
  );
  await expect(provider.request({ method: 'eth_no' })).rejects.toBeInstanceOf(ProviderRpcError);
});

test('behavior: a stopped node emits disconnect once, and rejects every request', async () => {
  const { provider, url, stop } = await start();
  const heard: unknown[] = [];
  provider.on('disconnect', (error) => heard.push(error));
  await stop();
  await stop();
  expect(await failureOf(provider.request({ method: 'eth_blockNumber' }))).toMatchObject({ code: 4900 });
  // EIP-1193: a request is rejected with its code 4900, and the event has a WebSocket close code.
  expect(heard).toMatchObject([{ code: 1001, message: 'the node has stopped' }]);
  await expect(fetch(url)).rejects.toThrow();
});

/** Requests of several kinds: sends, queries, and control of the chain. */
function requestsInFlight({ provider, accounts: [account] }: TestNode): Promise<unknown>[] {
  const transfer = { from: account?.address, to: account?.address, value: '0x1' };
  const calls: [method: string, ...params: unknown[]][] = [
    ['evm_mine'],
    ['eth_sendTransaction', transfer],
    ['anvil_mine', '0x14'],
    ['eth_estimateGas', transfer],
    ['eth_getLogs', {}],
  ];
  const rounds = Array.from({ length: 10 }, () => calls).flat();
  return rounds.map(([method, ...params]) => provider.request({ method, params }));
}

test('behavior: requests in flight while nodes stop are completed, or rejected as disconnected', async () => {
  const started = await Promise.all(Array.from({ length: 50 }, () => start()));
  const settled = await Promise.all(
    started.map(async (node) => {
      const requests = requestsInFlight(node);
      const outcomes = Promise.allSettled(requests);
      // The first node stops immediately, the next one after its first result, the third one after its second.
      await Promise.allSettled(requests.slice(0, started.indexOf(node)));
      await node.stop();
      return outcomes;
    }),
  );
  const rejections = settled.flat().flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const reasons = new Set(rejections.map(({ code, message }) => `${code} ${message}`));
  expect([...reasons]).toEqual(['4900 the node has stopped']);
});

/** Collects the arguments of an event. */
function heardOf<T>(provider: Provider, event: string) {
  const heard: T[] = [];
  const reached = new EventEmitter();
  provider.on(event, (told: T) => {
    heard.push(told);
    reached.emit(String(heard.length));
  });
  return {
    heard,
    reached: async (count: number) => {
      if (heard.length < count) await once(reached, String(count));
    },
  };
}

test('behavior: a listener attached immediately receives connect with the chain id', async () => {
  const { provider } = await start({ network: 'dev' });
  const [info] = await once(provider, 'connect');
  expect(info).toEqual({ chainId: '0xe0' });
});

test('behavior: accountsChanged for added and removed accounts, from any client', async () => {
  const { provider, url, accounts } = await start();
  const first = accounts.map(({ address }) => address);
  const { heard, reached } = heardOf<string[]>(provider, 'accountsChanged');
  const snapshot = await provider.request({ method: 'evm_snapshot' });
  const created = await provider.request({ method: 'personal_newAccount', params: [''] });
  await reached(1);
  await provider.request({ method: 'evm_mine' });
  const [method, params] = ['personal_importRawKey', [`0x${'17'.repeat(32)}`, '']];
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method, params });
  const imported = resultOf<string>('personal_importRawKey', answer.response());
  await reached(2);
  await provider.request({ method: 'evm_revert', params: [snapshot] });
  await reached(3);
  expect(heard).toEqual([[...first, created], [...first, created, imported], first]);
  expect(await provider.request({ method: 'eth_accounts' })).toEqual(first);
});

test('behavior: chainChanged with the id of a loaded chain', async () => {
  const { provider } = await start();
  const other = await start({ network: 'dev', seed: 'ledgerd', accounts: 2 });
  const { heard, reached } = heardOf<string>(provider, 'chainChanged');
  const { heard: lists } = heardOf<string[]>(provider, 'accountsChanged');
  const state = await other.provider.request({ method: 'anvil_dumpState' });
  await provider.request({ method: 'anvil_loadState', params: [state] });
  await reached(1);
  expect(heard).toEqual(['0xe0']);
  expect(lists).toEqual([other.accounts.map(({ address }) => address)]);
  await provider.request({ method: 'anvil_loadState', params: [state] });
  expect([heard.length, lists.length]).toEqual([1, 1]);
});

test('behavior: notifications are messages, each once and in order', async () => {
  const { provider, accounts, stop } = await start();
  const [from, to] = accounts.map(({ address }) => address);
  const { heard: messages, reached } = heardOf<ProviderMessage>(provider, 'message');
  const heads = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] });
  const hashes = await provider.request({ method: 'eth_subscribe', params: ['newPendingTransactions'] });
  // No notification arrives before the subscriber has the id.
  expect(messages).toEqual([]);
  await provider.request({ method: 'evm_mine' });
  await provider.request({ method: 'evm_mine' });
  await reached(2);
  expect(messages).toMatchObject(
    ['0x1', '0x2'].map((number) => ({
      type: 'eth_subscription',
      data: { subscription: heads, result: { number } },
    })),
  );
  const sent = await provider.request({
    method: 'eth_sendTransaction',
    params: [{ from, to, value: '0x1' }],
  });
  await reached(4);
  // The notifications of the block and of its transaction have no order between them.
  const [head, hash] = [heads, hashes].map((id) =>
    messages.slice(2).find(({ data }) => data.subscription === id),
  );
  expect(head?.data.result).toMatchObject({ number: '0x3' });
  // As a pending transaction, without its position in the chain.
  expect(String(hash?.data.result).slice(-40)).toBe(String(sent).slice(-40));
  expect(await provider.request({ method: 'eth_unsubscribe', params: [heads] })).toBe(true);
  expect(await provider.request({ method: 'eth_unsubscribe', params: [heads] })).toBe(false);
  await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] });
  await reached(5);
  await stop();
  expect(messages.map(({ data }) => data.subscription).slice(-1)).toEqual([hashes]);
});

/** Init code that emits 10,001 logs: more than the notifications of removed logs for a subscriber. */
const MANY_LOGS = '0x6127115b5f5fa060019003806003575f5ff3';

test('behavior: dropped notifications end all subscriptions with a disconnect event', async () => {
  const { provider, accounts } = await start();
  const [from] = accounts.map(({ address }) => address);
  const { heard: messages, reached } = heardOf<ProviderMessage>(provider, 'message');
  const { heard: ends } = heardOf<ProviderRpcError>(provider, 'disconnect');
  const subscribe = (kind: string) => provider.request({ method: 'eth_subscribe', params: [kind] });
  await once(provider, 'connect');
  const snapshot = await provider.request({ method: 'evm_snapshot' });
  const logs = await subscribe('logs');
  const params = [{ from, data: MANY_LOGS, gas: '0x989680' }];
  await provider.request({ method: 'eth_sendTransaction', params });
  await reached(10_001);
  const connected = once(provider, 'connect');
  await provider.request({ method: 'evm_revert', params: [snapshot] });
  await connected;
  expect(ends).toMatchObject([
    { code: 1013, message: expect.stringContaining('the reverted blocks had too many logs') },
  ]);
  expect(await provider.request({ method: 'eth_unsubscribe', params: [logs] })).toBe(false);
  const heads = await subscribe('newHeads');
  await provider.request({ method: 'evm_mine' });
  await reached(10_002);
  expect(messages.at(-1)?.data).toMatchObject({ subscription: heads });
});

test('args: onLog receives console output, failed calls with decoded errors, and notices', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compilation = await compileChatter();
  writeHardhat(folder, compilation);
  const entries: string[] = [];
  const options = { settings: { artifacts: [folder] }, onLog: (text: string) => entries.push(text) };
  const { provider, accounts } = await start(options);
  const { abi, bytecode } = codeOf(compilation, 'Chatter');
  const send = async (message: object) => {
    const params = [{ from: accounts[0]?.address, gas: '0x7a1200', ...message }];
    const hash = await provider.request({ method: 'eth_sendTransaction', params });
    return provider.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  };
  const made = await send({ data: encodeDeployData({ abi, bytecode }) });
  const { contractAddress: to } = made as { contractAddress: string };
  await send({ to, data: encodeFunctionData({ abi, functionName: 'pass', args: [9n, 'nine'] }) });
  expect(entries.slice(0, -1)).toContain('console.log passing on');
  const lines = entries.at(-1)?.split('\n') ?? [];
  expect(lines[0]).toMatch(/^✗ reverted {3}Vault\.take {3}block 2 {3}0x[0-9a-f]{64}$/);
  expect(lines[1]).toMatch(/^ {2}Insufficient\(owner=0x\w{40}, have=5, note="nine"\)$/);
  expect(lines[4]).toMatch(/^ {2}Chatter\.pass:\d+ → Vault\.take:\d+$/);
});

test('behavior: nodes of one process are independent', async () => {
  const [one, other] = await Promise.all([start(), start({ seed: 'another' })]);
  await one.provider.request({ method: 'evm_mine' });
  expect(await one.provider.request({ method: 'eth_blockNumber' })).toBe('0x1');
  expect(await other.provider.request({ method: 'eth_blockNumber' })).toBe('0x0');
});

test('behavior: viem, ethers and web3 take the provider', async () => {
  const { provider, accounts } = await start();
  const [from, to] = accounts.map(({ address }) => address);
  if (from === undefined || to === undefined) throw new Error('there are no test accounts');
  const transport = custom(provider);
  const hash = await createWalletClient({ transport }).sendTransaction({
    account: from,
    to,
    value: 7n,
    chain: null,
  });
  const receipt = await createPublicClient({ transport }).waitForTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: 'success', from, to });

  const ethers = new BrowserProvider(provider, undefined, { cacheTimeout: -1 });
  const sent = await new JsonRpcSigner(ethers, from).sendTransaction({ to, value: 8n });
  expect(await sent.wait()).toMatchObject({ status: 1 });
  ethers.destroy();

  const web3 = new Web3(provider);
  expect(await web3.eth.getBalance(to)).toBe(10n ** 17n + 15n);
  const heads = await web3.eth.subscribe('newHeads');
  const head = new Promise((resolve) => heads.on('data', resolve));
  await provider.request({ method: 'evm_mine' });
  expect(await head).toMatchObject({ number: 3n });
});
