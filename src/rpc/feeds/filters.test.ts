import { describe, expect, test } from 'vitest';
import type { BlockSummary, Ledger, LogQuery } from '../../ledger/index.ts';
import { type Hash, toHash, toPrefixedHex } from '../../protocol/index.ts';
import { systemTime } from '../../time/time.ts';
import type { RpcLimits } from '../index.ts';
import { ADDRESS, callBy, stubDispatcher, stubLedger } from '../rpc.testing.ts';

const NOT_FOUND = { code: -32000, message: 'filter not found' };

/** A stub of a ledger at block 7 that notifies of accepted hashes, and counts its listeners. */
class StubChain {
  readonly listeners = new Set<(hashes: readonly Hash[]) => void>();
  readonly queries: LogQuery[] = [];
  readonly ledger: Ledger = stubLedger({
    blocks: {
      head: () => ({ number: 7 }) as BlockSummary,
      logs: (query) => {
        this.queries.push(query);
        return { logs: [], complete: true };
      },
    },
    pool: {
      onAccepted: (listener) => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    },
  });

  accept(...numbers: readonly number[]): void {
    const hashes = numbers.map(hashOf);
    for (const listener of this.listeners) listener(hashes);
  }
}

function hashOf(number: number): Hash {
  return toHash(new Uint8Array(32).fill(number));
}

/** Returns a node with the stub, and a clock at `time.seconds`. */
function open(limits: Partial<RpcLimits> = {}, nodeNumber?: number) {
  const chain = new StubChain();
  const time = { seconds: 0 };
  const now = () => 1_000 * time.seconds;
  const dispatcher = stubDispatcher({
    ledger: chain.ledger,
    limits,
    nodeNumber,
    time: { ...systemTime, now },
  });
  /** Calls a method for a client. */
  const askBy = (client: string, method: string, ...params: readonly unknown[]) =>
    callBy({ client }, dispatcher, method, ...params);
  const ask = (method: string, ...params: readonly unknown[]) => askBy('one', method, ...params);
  return { chain, time, ask, askBy };
}

describe('ids', () => {
  test('behavior: ids are unique, and never reused', () => {
    const { ask } = open();
    const ids = Array.from({ length: 200 }, () => {
      const id = ask('eth_newBlockFilter');
      ask('eth_uninstallFilter', id);
      return id;
    });
    expect(new Set(ids).size).toBe(200);
    for (const id of ids) expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{16,}$/);
  });

  test('behavior: a node does not recognise the ids of another', () => {
    const id = open().ask('eth_newBlockFilter');
    const { ask } = open();
    ask('eth_newBlockFilter');
    expect(ask('eth_getFilterChanges', id)).toEqual(NOT_FOUND);
  });
});

describe('ids in a cluster', () => {
  test('default: they begin with the node that they are good at, and are of one length', () => {
    for (const [node, digits] of [
      [1, '1001'],
      [4_095, '1fff'],
    ] as const) {
      const { ask } = open({}, node);
      const ids = Array.from({ length: 20 }, () => String(ask('eth_newBlockFilter')));
      for (const id of ids) expect(id).toMatch(new RegExp(`^0x${digits}0{10}[0-9a-f]{18}$`));
      expect(new Set(ids).size).toBe(20);
      expect(ids.map((id) => ask('eth_getFilterChanges', id))).toEqual(ids.map(() => []));
      expect(ask('eth_uninstallFilter', ids[0])).toBe(true);
      expect(ask('eth_getFilterChanges', ids[0])).toEqual(NOT_FOUND);
    }
  });

  test('error: another node names the node of the filter', () => {
    const id = open({}, 2).ask('eth_newFilter', {});
    const told = (here: string) => ({
      code: -32000,
      message: `filter not found: it exists at node 2 of the cluster, and ${here}`,
    });
    expect(open({}, 3).ask('eth_getFilterChanges', id)).toEqual(told('this is node 3'));
    expect(open({}, 3).ask('eth_getFilterLogs', id)).toEqual(told('this is node 3'));
    expect(open().ask('eth_getFilterChanges', id)).toEqual(told('this node has no number'));
    expect(open({}, 3).ask('eth_uninstallFilter', id)).toBe(false);
  });

  test.each(['0x1', `0x1000${'0'.repeat(28)}`, `0x2000${'0'.repeat(28)}`, `0x${'f'.repeat(64)}`])(
    'error: %s contains no node',
    (id) => {
      expect(open({}, 3).ask('eth_getFilterChanges', id)).toEqual(NOT_FOUND);
    },
  );
});

describe('the time-out', () => {
  test.each(['eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_newFilter'])(
    'default: %s',
    (method) => {
      const { ask, time } = open();
      const create = () => (method === 'eth_newFilter' ? ask(method, {}) : ask(method));
      const [polled, asked, left] = [create(), create(), create()];
      time.seconds = 299;
      expect(ask('eth_getFilterChanges', polled)).toEqual([]);
      expect(ask('eth_getFilterLogs', asked)).toEqual([]);
      time.seconds = 300;
      expect(ask('eth_getFilterLogs', asked)).toEqual(NOT_FOUND);
      expect(ask('eth_getFilterChanges', left)).toEqual(NOT_FOUND);
      expect(ask('eth_uninstallFilter', left)).toBe(false);
      time.seconds = 598;
      expect(ask('eth_getFilterChanges', polled)).toEqual([]);
      time.seconds = 898;
      expect(ask('eth_getFilterChanges', polled)).toEqual(NOT_FOUND);
    },
  );

  test('args: filterTimeoutSeconds', () => {
    const { ask, time } = open({ filterTimeoutSeconds: 2 });
    const id = ask('eth_newBlockFilter');
    time.seconds = 1.999;
    expect(ask('eth_getFilterLogs', id)).toEqual([]);
    time.seconds = 2;
    expect(ask('eth_getFilterLogs', id)).toEqual(NOT_FOUND);
  });

  test('behavior: a poll beyond the limit of a response counts', () => {
    const { ask, chain, time } = open({ logsMax: 1 });
    const id = ask('eth_newPendingTransactionFilter');
    chain.accept(1, 2);
    time.seconds = 299;
    expect(ask('eth_getFilterChanges', id)).toMatchObject({ code: -32005 });
    time.seconds = 598;
    expect(ask('eth_getFilterChanges', id)).toMatchObject({ code: -32005 });
  });
});

describe('the number of filters', () => {
  test('default: half of ten thousand for one client', () => {
    const { ask, chain } = open();
    const ids = Array.from({ length: 5_000 }, (_, index) =>
      index % 2 === 0 ? ask('eth_newBlockFilter') : ask('eth_newFilter', { address: ADDRESS }),
    );
    expect(chain.listeners.size).toBe(0);
    expect(chain.queries).toEqual([]);
    for (const id of ids) expect(ask('eth_getFilterChanges', id)).toEqual([]);
    const tooMany = {
      code: -32005,
      message:
        'this client has 5000 filters, its share of the limit of 10000: uninstall one, or wait for a time-out',
    };
    expect(ask('eth_newFilter', {})).toEqual(tooMany);
    expect(ask('eth_newBlockFilter')).toEqual(tooMany);
    expect(ask('eth_newPendingTransactionFilter')).toEqual(tooMany);
    expect(chain.listeners.size).toBe(0);
    expect(ask('eth_uninstallFilter', ids[2_500])).toBe(true);
    expect(ask('eth_newBlockFilter')).toMatch(/^0x/);
  });

  test('behavior: several clients cannot exhaust the filters available to another', () => {
    const { askBy } = open({ filtersMax: 20 });
    const fill = (client: string): number => {
      for (let count = 0; ; count += 1) {
        if (typeof askBy(client, 'eth_newBlockFilter') !== 'string') return count;
      }
    };
    expect(['a', 'b', 'c', 'd', 'e'].map(fill)).toEqual([10, 5, 2, 1, 1]);
    expect(askBy('a', 'eth_newBlockFilter')).toMatchObject({ code: -32005 });
  });

  test('behavior: a removed filter frees its share', () => {
    const { askBy } = open({ filtersMax: 6 });
    const ids = ['a', 'a', 'a', 'b'].map((client) => askBy(client, 'eth_newBlockFilter'));
    expect(askBy('b', 'eth_newBlockFilter')).toMatchObject({ code: -32005 });
    // Any client may uninstall the filter of another by its id.
    expect(askBy('b', 'eth_uninstallFilter', ids[0])).toBe(true);
    expect(askBy('b', 'eth_newBlockFilter')).toMatch(/^0x/);
  });

  test('behavior: expired filters free their share', () => {
    const { ask, time } = open({ filtersMax: 4 });
    ask('eth_newBlockFilter');
    time.seconds = 10;
    const kept = ask('eth_newBlockFilter');
    time.seconds = 300;
    expect(ask('eth_newBlockFilter')).toMatch(/^0x/);
    expect(ask('eth_newBlockFilter')).toMatchObject({ code: -32005 });
    expect(ask('eth_getFilterChanges', kept)).toEqual([]);
  });

  test('error: more addresses and topics than the share of a client', () => {
    const { ask, askBy } = open({ filterCriteriaMax: 10 });
    const topic = toPrefixedHex(hashOf(1));
    const id = ask('eth_newFilter', { address: [ADDRESS, ADDRESS], topics: [topic, null, [topic]] });
    expect(ask('eth_newFilter', { address: [ADDRESS, ADDRESS] })).toEqual({
      code: -32005,
      message:
        'the filters of this client name 4 addresses and topics, and may not name 2 more: ' +
        'its share of the limit of 10',
    });
    expect(ask('eth_newFilter', { address: ADDRESS })).toMatch(/^0x/);
    expect(ask('eth_newFilter', { topics: [topic] })).toMatchObject({ code: -32005 });
    expect(ask('eth_newFilter', {})).toMatch(/^0x/);
    expect(askBy('other', 'eth_newFilter', { topics: [[topic, topic, topic]] })).toMatchObject({
      code: -32005,
    });
    expect(askBy('other', 'eth_newFilter', { topics: [[topic, topic]] })).toMatch(/^0x/);
    ask('eth_uninstallFilter', id);
    expect(ask('eth_newFilter', { topics: [[topic, topic, topic]] })).toMatch(/^0x/);
    expect(ask('eth_newFilter', { topics: [topic] })).toMatchObject({ code: -32005 });
  });
});

describe('accepted transactions', () => {
  const shown = (...numbers: readonly number[]) => numbers.map((number) => toPrefixedHex(hashOf(number)));

  test('default: one journal for all filters', () => {
    const { ask, chain } = open();
    const first = ask('eth_newPendingTransactionFilter');
    chain.accept(1);
    const second = ask('eth_newPendingTransactionFilter');
    chain.accept(2, 3);
    expect(chain.listeners.size).toBe(1);
    expect(ask('eth_getFilterChanges', second)).toEqual(shown(2, 3));
    chain.accept(4);
    expect(ask('eth_getFilterChanges', first)).toEqual(shown(1, 2, 3, 4));
    expect(ask('eth_getFilterChanges', second)).toEqual(shown(4));
    expect(ask('eth_getFilterChanges', first)).toEqual([]);
  });

  test('behavior: hashes are retained only while such a filter exists', () => {
    const { ask, chain } = open();
    expect(chain.listeners.size).toBe(0);
    const ids = [ask('eth_newPendingTransactionFilter'), ask('eth_newPendingTransactionFilter')];
    ask('eth_uninstallFilter', ids[0]);
    expect(chain.listeners.size).toBe(1);
    ask('eth_uninstallFilter', ids[1]);
    expect(chain.listeners.size).toBe(0);
    chain.accept(1);
    const again = ask('eth_newPendingTransactionFilter');
    expect(chain.listeners.size).toBe(1);
    chain.accept(2);
    expect(ask('eth_getFilterChanges', again)).toEqual(shown(2));
  });

  test('behavior: the feed stops when the last filter expires, without a call', () => {
    const { ask, chain, time } = open();
    ask('eth_newPendingTransactionFilter');
    time.seconds = 200;
    const polled = ask('eth_newPendingTransactionFilter');
    time.seconds = 400;
    chain.accept(1);
    expect(chain.listeners.size).toBe(1);
    expect(ask('eth_getFilterChanges', polled)).toEqual(shown(1));
    time.seconds = 700;
    chain.accept(2);
    expect(chain.listeners.size).toBe(0);
  });

  test('behavior: a filter that falls behind does not affect others, and does not recover', () => {
    const { ask, chain } = open({ logsMax: 3 });
    const late = ask('eth_newPendingTransactionFilter');
    const keepsUp = ask('eth_newPendingTransactionFilter');
    for (let number = 1; number < 60; number += 3) {
      chain.accept(number, number + 1, number + 2);
      expect(ask('eth_getFilterLogs', keepsUp)).toEqual(shown(number, number + 1, number + 2));
      expect(ask('eth_getFilterChanges', keepsUp)).toEqual(shown(number, number + 1, number + 2));
    }
    expect(ask('eth_getFilterChanges', late)).toMatchObject({
      code: -32005,
      message: expect.stringMatching(/^60 transactions are new, more than the limit of 3 /),
    });
    ask('eth_uninstallFilter', late);
    chain.accept(61);
    expect(ask('eth_getFilterChanges', keepsUp)).toEqual(shown(61));
  });
});
