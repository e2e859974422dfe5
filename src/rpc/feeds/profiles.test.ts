import { describe, expect, test } from 'vitest';
import { ethereumGenesis } from '../../ledger/ethereum.testing.ts';
import {
  accountAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../../ledger/ledger.testing.ts';
import { contractId } from '../../protocol/index.ts';
import { CpuBackoff } from '../../scheduling/index.ts';
import { ManualTime, WITHOUT_WAITING } from '../../time/time.testing.ts';
import { STANDALONE_STATUS } from '../context/node-status.ts';
import { createDispatcher, type Message, type NodeDependencies, type ProfileId } from '../index.ts';
import { answerOf } from '../rpc.testing.ts';

/** Creation code of a contract that logs the first word of its call data, under itself as its topic. */
const LOGGING = '600c600c600039600c6000f35f3580805f5260205fa1';

/** A client of a node with Ethereum that has a subscription to each of some kinds. */
async function subscribed(
  profile: ProfileId,
  subscriptions: readonly (readonly unknown[])[],
  parts: Partial<NodeDependencies> = {},
) {
  const { ledger } = await openTestLedger({ genesis: ethereumGenesis() });
  ledger.pool.submit(sign(ledger, [createContract(0, LOGGING)], [keyAt(0)]));
  const time = new ManualTime();
  const limits = { timeSliceMsMax: Number.POSITIVE_INFINITY };
  const backoff = new CpuBackoff(WITHOUT_WAITING);
  const node = { ledger, wallet: undefined, version: '0', time, limits, backoff };
  const dispatcher = createDispatcher({ ...node, ...parts });
  const results = new Map<string, unknown[]>();
  const caller = {
    client: 'one',
    notifications: {
      subscriber: {
        client: 'one',
        notify: (messages: readonly Message[]) => {
          for (const message of messages) {
            const { subscription, result } = JSON.parse(String(Buffer.concat(message))).params;
            results.get(subscription)?.push(result);
          }
        },
        isBehind: () => false,
        disconnect: (reason: string) => expect(reason).toBe(''),
      },
      afterResponse: (callback: () => void) => callback(),
    },
  };
  const ask = (method: string, ...params: readonly unknown[]): unknown => {
    const response = answerOf(dispatcher, { jsonrpc: '2.0', id: 1, method, params }, caller, profile);
    return Reflect.get(response as object, 'result') ?? Reflect.get(response as object, 'error');
  };
  const ids = subscriptions.map((params) => String(ask('eth_subscribe', ...params)));
  for (const id of ids) results.set(id, []);
  return { ledger, time, ask, results: () => ids.map((id) => results.get(id)) };
}

const NOT_FOUND = { code: -32000, message: 'filter not found' };

/** A call that logs a word. */
const callWith = (word: number) => ({
  type: 'contractCall' as const,
  fee: core(200_000n),
  registrar: accountAt(0),
  value: core(0n),
  code: word.toString(16).padStart(64, '0'),
  callee: contractId(0),
});

describe.each(['ledger', 'ethereum'] as const)('%s', (profile) => {
  test('behavior: notifications and items of filters are the objects of the methods', async () => {
    const { ledger, time, ask, results } = await subscribed(profile, [
      ['newHeads'],
      ['logs', {}],
      ['transactionReceipts'],
      ['newPendingTransactions'],
      ['newPendingTransactions', true],
    ]);
    const [blocks, logFilter, pending] = [
      ask('eth_newBlockFilter'),
      ask('eth_newFilter', {}),
      ask('eth_newPendingTransactionFilter'),
    ];
    ledger.miner.stopMining();
    ledger.pool.submit(sign(ledger, [callWith(7), callWith(8)], [keyAt(0)]));
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    await time.pass(0);
    const [, , , hashes = [], waiting] = results();
    expect(hashes).toHaveLength(3);
    expect(waiting).toEqual(hashes.map((hash) => ask('eth_getTransactionByHash', hash)));
    expect(ask('eth_getFilterChanges', pending)).toEqual(hashes);
    ledger.miner.mine();
    await time.pass(0);
    const [heads, logs, receipts] = results();
    expect(heads).toEqual([ask('eth_getHeaderByNumber', '0x2')]);
    expect(logs).toHaveLength(2);
    expect(logs).toEqual(ask('eth_getLogs', { fromBlock: '0x2' }));
    expect(ask('eth_getFilterChanges', logFilter)).toEqual(logs);
    expect(receipts).toEqual([ask('eth_getBlockReceipts', '0x2')]);
    const { hash } = ask('eth_getBlockByNumber', '0x2', false) as { hash: string };
    expect(ask('eth_getFilterChanges', blocks)).toEqual([hash]);
  });

  test('behavior: the hash of an accepted transaction that was dropped', async () => {
    const { ledger, time, ask, results } = await subscribed(profile, [
      ['newPendingTransactions'],
      ['newPendingTransactions', true],
    ]);
    const filter = ask('eth_newPendingTransactionFilter');
    ledger.miner.stopMining();
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    expect(ledger.pool.dropPending(() => true)).toBe(1);
    await time.pass(0);
    const [hashes = [], whole] = results();
    expect([hashes.length, whole]).toEqual([profile === 'ledger' ? 1 : 0, []]);
    expect(ask('eth_getFilterChanges', filter)).toEqual(hashes);
  });

  test('behavior: the beginning and the end of catching up', async () => {
    let syncing: ReturnType<typeof STANDALONE_STATUS.syncing>;
    const nodeStatus = { ...STANDALONE_STATUS, syncing: () => syncing };
    const { time, results } = await subscribed(profile, [['syncing'], ['syncing']], { nodeStatus });
    await time.pass(2_000);
    syncing = { startingBlock: 1, currentBlock: 20, highestBlock: 300 };
    await time.pass(2_000);
    syncing = undefined;
    await time.pass(2_000);
    const status = { startingBlock: '0x1', currentBlock: '0x14', highestBlock: '0x12c' };
    expect(results()).toEqual(Array(2).fill([{ syncing: true, status }, false]));
  });
});

test.each(['ledger', 'ethereum'] as const)(
  'error: eth_getFilterLogs of a filter of another kind: %s, which on /ethereum is not found, as in geth',
  async (profile) => {
    const { ask } = await subscribed(profile, []);
    for (const method of ['eth_newBlockFilter', 'eth_newPendingTransactionFilter']) {
      const id = ask(method);
      expect(ask('eth_getFilterLogs', id)).toEqual(profile === 'ledger' ? [] : NOT_FOUND);
      expect(ask('eth_getFilterChanges', id)).toEqual([]);
    }
  },
);

test.each(['ledger', 'ethereum'] as const)(
  'behavior: filters of %s report the removal of the logs that they reported, and the new blocks',
  async (profile) => {
    const { ledger, ask } = await subscribed(profile, []);
    const log = (word: number) => ledger.pool.submit(sign(ledger, [callWith(word)], [keyAt(0)]));
    const filter = () => ask('eth_newFilter', {});
    const changes = (id: unknown) => ask('eth_getFilterChanges', id) as object[];
    const [polled, asked, unread, blocks] = [filter(), filter(), filter(), ask('eth_newBlockFilter')];
    log(1);
    log(2);
    const logs = changes(polled);
    expect(logs).toEqual(ask('eth_getLogs', { fromBlock: '0x2' }));
    expect(ask('eth_getFilterLogs', asked)).toEqual(logs);
    const late = filter();
    expect(changes(blocks)).toHaveLength(2);
    ledger.chain.revertTo(1);
    log(3);
    const added = ask('eth_getLogs', { fromBlock: '0x2' }) as object[];
    expect(added).toHaveLength(1);
    // geth: a removed log is the same object with `removed`, before the logs of the new chain (eth/filters).
    const removed = logs.map((each) => ({ ...each, removed: true }));
    expect(changes(polled)).toEqual([...removed, ...added]);
    expect(changes(asked)).toEqual([...removed, ...added]);
    for (const id of [unread, late]) expect(changes(id)).toEqual(added);
    for (const id of [polled, asked, unread, late]) expect(ask('eth_getFilterLogs', id)).toEqual(added);
    const { hash } = ask('eth_getBlockByNumber', '0x2', false) as { hash: string };
    expect(changes(blocks)).toEqual([hash]);
    expect(changes(polled)).toEqual([]);
  },
);
