import { once } from 'node:events';
import { Contract, WebSocketProvider } from 'ethers';
import { createPublicClient, webSocket } from 'viem';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { Web3 } from 'web3';
import WebSocket from 'ws';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { freePort } from '../free-ports.js';
import { type Program, startProgram } from '../program.ts';
import { Collector } from './collector.ts';
import { driveAtEveryPace, Noter } from './paces.ts';

/** The libraries' own transports over a WebSocket, unchanged. */

let program: Program;
let probe: CompiledContract;
let noter: Noter;

beforeAll(async () => {
  probe = await compileContract('Probe');
});

beforeEach(async () => {
  program = await startProgram();
  noter = await Noter.deploy(program, probe);
});

afterEach(() => program.stop());

const socketUrl = (): string => program.url.replace('http', 'ws');
const upTo = (count: number): bigint[] => Array.from({ length: count }, (_, index) => BigInt(index));

/** A client that says which subscriptions it has. */
class Subscriber {
  readonly #socket: WebSocket;
  readonly told = new Collector<{ subscription: string; result: Record<string, string> }>();
  readonly #answers = new Collector<{ id: number; result: unknown }>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (text) => {
      const message = JSON.parse(String(text));
      if (message.method === 'eth_subscription') this.told.add(message.params);
      else this.#answers.add(message);
    });
  }

  static async connect(url: string): Promise<Subscriber> {
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    const subscriber = new Subscriber(socket);
    await once(socket, 'open');
    return subscriber;
  }

  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    this.#asked += 1;
    const id = this.#asked;
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return (await this.#answers.first((answer) => answer.id === id)).result;
  }
}

test('default: viem watches blocks and events, each once', async () => {
  const client = createPublicClient({ transport: webSocket(socketUrl()) });
  const blocks = new Collector<bigint>();
  const numbers = new Collector<bigint>();
  const first = (await client.getBlockNumber()) + 1n;
  const stopBlocks = client.watchBlocks({ onBlock: ({ number }) => blocks.add(number) });
  const stopEvents = client.watchContractEvent({
    address: noter.address,
    abi: probe.abi,
    eventName: 'Noted',
    onLogs: (logs) => {
      for (const log of logs) numbers.add((log as unknown as { args: { key: bigint } }).args.key);
    },
  });
  const { socket } = await client.transport.getRpcClient();
  expect(socket.readyState).toBe(1);
  // Behind the subscriptions on the same connection.
  await client.getChainId();
  await driveAtEveryPace(program, noter);
  await numbers.reached(noter.sent.length);
  const head = await client.getBlockNumber({ cacheTime: 0 });
  await blocks.reached(Number(head - first) + 1);
  expect(numbers.items).toEqual(upTo(noter.sent.length));
  // It asks for each block that it hears of, and tells of them as the answers come.
  const inOrder = [...blocks.items].sort((one, other) => Number(one - other));
  expect(inOrder).toEqual(upTo(Number(head) + 1).slice(Number(first)));
  stopBlocks();
  stopEvents();
  (await client.transport.getRpcClient()).close();
});

test('default: ethers hears every event of a contract', async () => {
  const provider = new WebSocketProvider(socketUrl());
  const contract = new Contract(noter.address, JSON.stringify(probe.abi), provider);
  const numbers = new Collector<bigint>();
  await contract.on('Noted', (_sender: string, key: bigint) => numbers.add(key));
  await provider.send('eth_chainId', []);
  // The provider loses all events after one that comes before it knows its network.
  await provider.getNetwork();
  await driveAtEveryPace(program, noter);
  await numbers.reached(noter.sent.length);
  expect(numbers.items).toEqual(upTo(noter.sent.length));
  await contract.removeAllListeners();
  await provider.destroy();
});

test('default: web3 subscribes to blocks, logs and transactions', async () => {
  const web3 = new Web3(socketUrl());
  const blocks = new Collector<bigint>();
  const logs = new Collector<string>();
  const hashes = new Collector<string>();
  const heads = await web3.eth.subscribe('newBlockHeaders');
  heads.on('data', ({ number }) => blocks.add(BigInt(number ?? -1)));
  const events = await web3.eth.subscribe('logs', { address: noter.address });
  events.on('data', (log) => logs.add(String('blockNumber' in log ? log.blockNumber : '')));
  const pending = await web3.eth.subscribe('pendingTransactions');
  pending.on('data', (hash) => hashes.add(String(hash)));
  await noter.send(5);
  await Promise.all([blocks.reached(5), logs.reached(5), hashes.reached(5)]);
  expect(blocks.items.slice(0, 5)).toEqual([2n, 3n, 4n, 5n, 6n]);
  expect(hashes.items).toEqual(noter.sent);
  web3.currentProvider?.disconnect();
});

test('behavior: viem connects again after a restart of the node', async () => {
  await program.stop();
  const port = await freePort();
  program = await startProgram('--port', String(port));
  const client = createPublicClient({
    transport: webSocket(socketUrl(), {
      // As often as it takes until the node is there again.
      reconnect: { delay: 50, attempts: Number.MAX_SAFE_INTEGER },
      keepAlive: { interval: 50 },
    }),
  });
  const blocks = new Collector<bigint>();
  const stop = client.watchBlocks({ onBlock: ({ number }) => blocks.add(number) });
  await client.getChainId();
  await program.call('evm_mine');
  expect(await blocks.reached(1)).toEqual([1n]);
  await program.stop();
  program = await startProgram('--port', String(port));
  await expect.poll(() => client.getBlockNumber({ cacheTime: 0 }).catch(() => undefined)).toBe(0n);
  await program.call('evm_mine');
  // Told again: the client asks for a block that it hears of, and has asked for nothing more.
  expect(await blocks.reached(2)).toEqual([1n, 1n]);
  stop();
  (await client.transport.getRpcClient()).close();
});

test('behavior: 200 subscribers receive every notification once and in order, across reverts', async () => {
  const subscribers = await Promise.all(
    Array.from({ length: 200 }, () => Subscriber.connect(`${socketUrl()}/ws`)),
  );
  const ids = await Promise.all(
    subscribers.map(async (subscriber) => ({
      heads: await subscriber.call('eth_subscribe', 'newHeads'),
      logs: await subscriber.call('eth_subscribe', 'logs', { address: noter.address }),
    })),
  );
  const expectedHeads: number[] = [];
  const expectedLogs: string[] = [];
  let head = Number(await program.call('eth_blockNumber'));
  for (let turn = 0; turn < 10; turn += 1) {
    const snapshot = await program.call('evm_snapshot');
    const before = head;
    await noter.send(6);
    const blocks = [1, 2, 3, 4, 5, 6].map((ahead) => before + ahead);
    expectedHeads.push(...blocks);
    expectedLogs.push(...blocks.map((block) => `${block} false`));
    head += 6;
    if (turn % 2 === 0) continue;
    await program.call('evm_revert', snapshot);
    head = before;
    expectedLogs.push(...blocks.map((block) => `${block} true`));
  }
  // The last block has a log, too, and no block of before has its hash.
  await noter.send(1);
  expectedHeads.push(head + 1);
  expectedLogs.push(`${head + 1} false`);
  const { hash: lastHash } = await program.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false);
  for (const [index, subscriber] of subscribers.entries()) {
    await subscriber.told.first(({ result }) => result.hash === lastHash);
    await subscriber.told.first(({ result }) => result.blockHash === lastHash);
    const of = (id: unknown) =>
      subscriber.told.items.filter(({ subscription }) => subscription === id).map(({ result }) => result);
    const heads = of(ids[index]?.heads).map(({ number }) => Number(number));
    expect(isChainOf(heads, expectedHeads)).toBe(true);
    const logs = of(ids[index]?.logs).map(({ blockNumber, removed }) => `${Number(blockNumber)} ${removed}`);
    // Logs of a block that vanished before it was told of come neither way.
    expect(netOf(logs)).toEqual(netOf(expectedLogs));
    expect(isSound(logs)).toBe(true);
  }
});

/** Returns true if the notifications are the expected numbers in order, except those of reverted blocks. */
function isChainOf(told: readonly number[], expected: readonly number[]): boolean {
  let place = 0;
  for (const number of expected) if (told[place] === number) place += 1;
  return place === told.length;
}

/** The logs that are left when those that were removed are gone. */
function netOf(logs: readonly string[]): string[] {
  const left: string[] = [];
  for (const log of logs) {
    const [block, removed] = log.split(' ');
    if (removed === 'false') left.push(String(block));
    else left.splice(left.lastIndexOf(String(block)), 1);
  }
  return left;
}

/** Returns true if no log is duplicated, and no log is removed that was not reported. */
function isSound(logs: readonly string[]): boolean {
  const there = new Set<string>();
  return logs.every((log) => {
    const [block = '', removed] = log.split(' ');
    if (removed === 'true') return there.delete(block);
    if (there.has(block)) return false;
    there.add(block);
    return true;
  });
}
