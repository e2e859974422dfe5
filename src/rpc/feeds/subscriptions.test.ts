import { beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../ledger/index.ts';
import {
  accountAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../../ledger/ledger.testing.ts';
import { contractId, toPrefixedHex } from '../../protocol/index.ts';
import { ManualTime } from '../../time/time.testing.ts';
import { createDispatcher, type Dispatcher, type Message, type Subscriber } from '../index.ts';

/** Creation code of a contract that logs the first word of its call data, under itself as its topic. */
const LOGGING = '600c600c600039600c6000f35f3580805f5260205fa1';

let ledger: Ledger;
let time: ManualTime;
let dispatcher: Dispatcher;

/** A subscriber that may be slow. */
class Listener implements Subscriber {
  readonly client: string;
  readonly told: { subscription: string; result: unknown }[] = [];
  isSlow = false;
  gaveUp: string | undefined;

  constructor(client = 'one') {
    this.client = client;
  }

  /** Numbers of messages that came together. */
  readonly together: number[] = [];

  notify(messages: readonly Message[]): void {
    this.together.push(messages.length);
    for (const message of messages) {
      const { jsonrpc, method, params } = JSON.parse(String(Buffer.concat(message)));
      expect([jsonrpc, method]).toEqual(['2.0', 'eth_subscription']);
      this.told.push(params);
    }
  }

  isBehind(): boolean {
    return this.isSlow || this.gaveUp !== undefined;
  }

  disconnect(reason: string): void {
    this.gaveUp = reason;
  }

  /** A caller of one message, with a response that the test writes. */
  caller() {
    const callbacks: (() => void)[] = [];
    return {
      client: this.client,
      connection: this,
      notifications: {
        subscriber: this,
        afterResponse: (callback: () => void) => callbacks.push(callback),
      },
      responded: () => {
        for (const callback of callbacks) callback();
      },
    };
  }

  /** Calls a method as a connection of this listener does; the response has not reached it yet. */
  ask(method: string, ...params: readonly unknown[]): string {
    return this.send(method, params).response;
  }

  /** Does the same, and returns a function that writes the response as well. */
  send(method: string, params: readonly unknown[]) {
    const caller = this.caller();
    const response = dispatcher.handle(JSON.stringify(request(method, params)), caller);
    expect(typeof response).toBe('string');
    return { response: String(response), responded: caller.responded };
  }

  /** Subscribes, and gets the response. */
  subscribe(...params: readonly unknown[]): string {
    const { response, responded } = this.send('eth_subscribe', params);
    responded();
    return JSON.parse(response).result;
  }

  /** Lists the notifications of a subscription, each reduced by `look`. */
  of<T>(subscription: string, look: (result: never) => T): T[] {
    return this.told
      .filter((params) => params.subscription === subscription)
      .map(({ result }) => look(result as never));
  }
}

const request = (method: string, params: readonly unknown[] = []) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const numberOf = ({ number }: { number: string }): number => Number(number);
const logOf = ({ blockNumber, data, removed }: { blockNumber: string; data: string; removed: boolean }) =>
  [Number(blockNumber), Number(data), removed] as const;

beforeEach(async () => {
  ({ ledger } = await openTestLedger());
  time = new ManualTime();
  dispatcher = createDispatcher({ ledger, wallet: undefined, version: '0', time });
});

const settle = (): Promise<void> => time.pass(0);
const send = (): unknown => ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
const create = (): unknown => ledger.pool.submit(sign(ledger, [createContract(0, LOGGING)], [keyAt(0)]));

function log(...words: readonly number[]): void {
  const operations = words.map((word) => ({
    type: 'contractCall' as const,
    fee: core(200_000n),
    registrar: accountAt(0),
    value: core(0n),
    code: word.toString(16).padStart(64, '0'),
    callee: contractId(0),
  }));
  ledger.pool.submit(sign(ledger, operations, [keyAt(0)]));
}

describe('newHeads', () => {
  test('behavior: every block once and in order, and none before the response', async () => {
    const listener = new Listener();
    const { response, responded } = listener.send('eth_subscribe', ['newHeads']);
    send();
    await settle();
    expect(listener.told).toEqual([]);
    responded();
    send();
    await settle();
    for (let count = 0; count < 200; count += 1) ledger.miner.mine();
    await settle();
    const { result } = JSON.parse(response);
    expect(listener.of(result, numberOf)).toEqual(Array.from({ length: 202 }, (_, index) => index + 1));
  });

  test('behavior: a subscription is not started by the response to another request', async () => {
    const listener = new Listener();
    const first = listener.ask('eth_subscribe', 'newHeads');
    const second = listener.subscribe('newHeads');
    ledger.miner.mine();
    await settle();
    expect(listener.told.map(({ subscription }) => subscription)).toEqual([second]);
    expect(first).not.toContain(second);
  });

  test('behavior: the response to a batch, however long, starts all subscriptions of the batch', async () => {
    const listener = new Listener();
    const caller = listener.caller();
    const subscribe = request('eth_subscribe', ['newHeads']);
    const batch = [subscribe, ...Array(3).fill(request('rpc_discover')), subscribe];
    const response = String(await dispatcher.handle(JSON.stringify(batch), caller));
    ledger.miner.mine();
    await settle();
    expect(listener.told).toEqual([]);
    caller.responded();
    await settle();
    const [first, , , , last] = JSON.parse(response);
    expect(listener.told.map(({ subscription }) => subscription)).toEqual([first.result, last.result]);
  });

  test('behavior: a subscription that ended in its batch is not started', async () => {
    const listener = new Listener();
    const { response, responded } = listener.send('eth_subscribe', ['newHeads']);
    expect(JSON.parse(listener.ask('eth_unsubscribe', JSON.parse(response).result)).result).toBe(true);
    responded();
    ledger.miner.mine();
    await settle();
    expect(listener.told).toEqual([]);
  });

  test('behavior: a slow subscriber gets the rest later, and delays no other', async () => {
    const [slow, quick] = [new Listener('slow'), new Listener('quick')];
    const [one, other] = [slow.subscribe('newHeads'), quick.subscribe('newHeads')];
    slow.isSlow = true;
    for (let count = 0; count < 5; count += 1) ledger.miner.mine();
    await settle();
    expect([slow.told, quick.of(other, numberOf)]).toEqual([[], [1, 2, 3, 4, 5]]);
    slow.isSlow = false;
    dispatcher.subscriptions.resume(slow);
    await settle();
    expect(slow.of(one, numberOf)).toEqual([1, 2, 3, 4, 5]);
  });

  test('behavior: messages of several subscriptions of a client are batched, up to a size limit', async () => {
    const listener = new Listener();
    create();
    listener.subscribe('newHeads');
    listener.subscribe('logs', {});
    log(1, 2);
    await settle();
    expect(listener.together).toEqual([3]);
    for (let count = 0; count < 200; count += 1) ledger.miner.mine();
    await settle();
    expect(listener.told).toHaveLength(203);
    expect(listener.together.length).toBeGreaterThan(2);
    expect(listener.together.length).toBeLessThan(10);
  });

  test('behavior: after a reorganisation it continues at the common block', async () => {
    const listener = new Listener();
    const id = listener.subscribe('newHeads');
    for (let count = 0; count < 3; count += 1) ledger.miner.mine();
    await settle();
    ledger.chain.revertTo(1);
    ledger.miner.mine();
    await settle();
    expect(listener.of(id, numberOf)).toEqual([1, 2, 3, 2]);
  });
});

describe('logs', () => {
  test('behavior: matching logs are sent, and those of reverted blocks are sent as removed', async () => {
    const listener = new Listener();
    create();
    const all = listener.subscribe('logs', {});
    const [seven] = [`0x${(7).toString(16).padStart(64, '0')}`];
    const some = listener.subscribe('logs', { topics: [seven] });
    log(7, 8);
    log(9, 7);
    await settle();
    ledger.chain.revertTo(2);
    log(5);
    await settle();
    expect(listener.of(all, logOf)).toEqual([
      [2, 7, false],
      [2, 8, false],
      [3, 9, false],
      [3, 7, false],
      [3, 9, true],
      [3, 7, true],
      [3, 5, false],
    ]);
    expect(listener.of(some, logOf)).toEqual([
      [2, 7, false],
      [3, 7, false],
      [3, 7, true],
    ]);
  });

  test('behavior: logs of a reverted block that were not sent are not sent as removed', async () => {
    const listener = new Listener();
    create();
    const id = listener.subscribe('logs', {});
    log(1);
    await settle();
    listener.isSlow = true;
    log(2);
    await settle();
    ledger.chain.revertTo(1);
    listener.isSlow = false;
    dispatcher.subscriptions.resume(listener);
    await settle();
    expect(listener.of(id, logOf)).toEqual([
      [2, 1, false],
      [2, 1, true],
    ]);
  });
});

describe('newPendingTransactions', () => {
  test('behavior: hashes, or whole transactions, as they are accepted', async () => {
    const listener = new Listener();
    const hashes = listener.subscribe('newPendingTransactions');
    const full = listener.subscribe('newPendingTransactions', true);
    ledger.miner.stopMining();
    send();
    await settle();
    const [hash] = listener.of(hashes, (result: string) => result);
    const told = listener.of(full, ({ hash: ofObject, blockHash }: { hash: string; blockHash: null }) => [
      ofObject,
      blockHash,
    ]);
    expect(told).toEqual([[hash, null]]);
  });

  test('behavior: a subscriber that stops reading for too long is disconnected', async () => {
    const listener = new Listener();
    listener.subscribe('newPendingTransactions');
    await settle();
    listener.isSlow = true;
    const operations = Array.from({ length: 1_000 }, () => transfer(0, accountAt(1), 1n));
    ledger.miner.stopMining();
    for (let count = 0; count < 21; count += 1) {
      ledger.pool.submit(sign(ledger, operations.slice(count), [keyAt(0)]));
    }
    listener.isSlow = false;
    dispatcher.subscriptions.resume(listener);
    await settle();
    expect(listener.gaveUp).toBe('more than 10000 transactions were not read');
  });
});

describe('transactionReceipts', () => {
  test('behavior: receipts of each non-empty block, or only those of the given transactions', async () => {
    const listener = new Listener();
    const all = listener.subscribe('transactionReceipts');
    ledger.miner.mine();
    ledger.miner.stopMining();
    const { hash } = ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 2n)], [keyAt(0)]));
    const some = listener.subscribe('transactionReceipts', { transactionHashes: [toPrefixedHex(hash)] });
    ledger.miner.mine();
    await settle();
    const placesOf = (receipts: readonly { blockNumber: string; transactionIndex: string }[]) =>
      receipts.map(({ blockNumber, transactionIndex }) => [Number(blockNumber), Number(transactionIndex)]);
    const [first, second] = [
      [2, 0],
      [2, 1],
    ];
    expect(listener.of(all, placesOf)).toEqual([[first, second]]);
    expect(listener.of(some, placesOf)).toEqual([[first]]);
  });
});

describe('the end of a subscription', () => {
  test('default', async () => {
    const listener = new Listener();
    const id = listener.subscribe('newHeads');
    expect(JSON.parse(new Listener().ask('eth_unsubscribe', id)).result).toBe(false);
    expect(JSON.parse(listener.ask('eth_unsubscribe', id)).result).toBe(true);
    expect(JSON.parse(listener.ask('eth_unsubscribe', id)).result).toBe(false);
    ledger.miner.mine();
    await settle();
    expect([listener.told, dispatcher.subscriptions.size]).toEqual([[], 0]);
  });

  test('behavior: disconnecting a subscriber removes all its subscriptions', () => {
    const listener = new Listener();
    for (const kind of ['newHeads', 'logs', 'newPendingTransactions', 'syncing', 'transactionReceipts']) {
      listener.subscribe(kind);
    }
    expect(dispatcher.subscriptions.size).toBe(5);
    dispatcher.subscriptions.removeAll(listener);
    expect(dispatcher.subscriptions.size).toBe(0);
  });
});

describe('refusals', () => {
  const errorOf = (answer: string): unknown => JSON.parse(answer).error;

  test('error: over HTTP', () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] };
    expect(errorOf(String(dispatcher.handle(JSON.stringify(body))))).toEqual({
      code: -32601,
      message: 'notifications not supported: connect by a WebSocket, on the same port',
    });
  });

  test.each([
    [['blocks'], -32601, 'no "blocks" subscription in eth namespace'],
    [[7], -32602, 'invalid parameter 1 (kind): expected a string, got a number'],
    [['logs', { address: '0x1' }], -32602, /^invalid parameter 2 \(options\): address: /],
    [['newHeads', []], -32602, 'invalid parameter 2 (options): expected an object, got an array'],
    [['newHeads', { address: '0x1' }], -32602, /^invalid parameter 2 \(options\): address: /],
    [['newPendingTransactions', 'yes'], -32602, /^invalid parameter 2 \(options\): expected true or false/],
    [['transactionReceipts', { transactionHashes: ['0x'] }], -32602, /^invalid parameter 2 \(options\): /],
  ])('error: %j', (params, code, message) => {
    const error = errorOf(new Listener().ask('eth_subscribe', ...params));
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(error).toEqual({ code, message: expected });
  });

  test('error: too many of one connection', () => {
    const listener = new Listener();
    for (let count = 0; count < 128; count += 1) listener.subscribe('newHeads');
    expect(errorOf(listener.ask('eth_subscribe', 'newHeads'))).toEqual({
      code: -32005,
      message: 'this connection has 128 subscriptions, the limit of one connection: unsubscribe from one',
    });
  });

  test('error: the share of one client', () => {
    const listeners = Array.from({ length: 80 }, () => new Listener());
    for (const listener of listeners) {
      for (let count = 0; count < 125; count += 1) listener.subscribe('newHeads');
    }
    expect(errorOf(new Listener().ask('eth_subscribe', 'newHeads'))).toEqual({
      code: -32005,
      message: expect.stringMatching(/^this client has 10000 subscriptions, its share of the limit of 20000/),
    });
    expect(errorOf(new Listener('other').ask('eth_subscribe', 'newHeads'))).toBeUndefined();
  });
});
