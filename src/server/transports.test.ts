import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Transport } from './connections.ts';
import { Connections, type ConnectionsOptions } from './connections.ts';

const MEGABYTE = 1024 * 1024;

/** A transport without data, with a state that tests set. */
class TestTransport extends EventEmitter implements Transport {
  readonly remoteAddress: string;
  destroyed = false;
  writableLength = 0;

  constructor(remoteAddress = '127.0.0.1') {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Connections, with the reasons for which some were closed. */
function connectionsWith(options: Partial<ConnectionsOptions> = {}) {
  const refused: string[] = [];
  const connections = new Connections({
    connectionsMax: 10,
    heldBytesMax: 10 * MEGABYTE,
    slowClientMs: 0,
    slowClientBytesPerSecond: Number.POSITIVE_INFINITY,
    onRefused: (reason) => refused.push(reason),
    onOpened: () => undefined,
    ...options,
  });
  const open = (transport = new TestTransport()) => {
    const connection = connections.open(transport);
    if (connection === undefined) throw new Error('the connection was not taken in');
    return { transport, connection };
  };
  return { connections, refused, open };
}

describe('idle connections', () => {
  test('default', () => {
    const { refused, open } = connectionsWith({ connectionsMax: 2 });
    const [first, second] = [open(), open()];
    const third = open();
    expect([first, second, third].map(({ transport }) => transport.destroyed)).toEqual([true, false, false]);
    expect(refused).toEqual(['displaced']);
  });

  test('behavior: unread notifications are held until the client reads them', () => {
    const { connections, open } = connectionsWith();
    const { connection } = open();
    for (const bytes of [1_000, 2_000]) {
      connection.noteResponse(bytes);
      expect([connections.held.unread, connection.state]).toEqual([bytes, 'responding']);
      connection.noteRead();
      expect([connections.held.unread, connection.state]).toEqual([0, 'listening']);
    }
  });

  test('behavior: a connection that does not read is evicted, one with a running request is not', () => {
    const { connections, refused, open } = connectionsWith({ heldBytesMax: 10 * MEGABYTE });
    const [slow, busy, next] = [open(), open(), open(new TestTransport('127.0.0.2'))];
    slow.transport.writableLength = 9 * MEGABYTE;
    slow.connection.noteResponse(9 * MEGABYTE);
    busy.connection.state = 'working';
    next.connection.noteResponse(2 * MEGABYTE);
    expect([slow, busy, next].map(({ transport }) => transport.destroyed)).toEqual([true, false, false]);
    expect([refused, connections.held.unread]).toEqual([['memory'], 2 * MEGABYTE]);
  });

  test('behavior: idle connections close immediately with the server', () => {
    const { connections, open } = connectionsWith();
    const [idle, asking] = [open(), open()];
    asking.connection.isServing = true;
    connections.closeWhenIdle();
    expect([idle.transport.destroyed, asking.transport.destroyed]).toEqual([true, false]);
    expect(connections.isClosing).toBe(true);
    asking.transport.destroy();
    const late = new TestTransport();
    connections.open(late);
    expect([late.destroyed, connections.size]).toEqual([true, 0]);
  });
});
