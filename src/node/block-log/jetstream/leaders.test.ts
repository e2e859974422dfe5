import { afterAll, beforeAll, expect, test } from 'vitest';
import { STREAM_PART_BYTES_MAX } from './entry.ts';
import type { OpenLog } from './jetstream.ts';
import { blockAfter, type LogBlock } from './log-chain.testing.ts';
import { eventually, NatsServers } from './nats-servers.testing.ts';
import { append, differing, newChain, open, read } from './real-log.testing.ts';
import { describeWithServers } from './with-server.testing.ts';

const WAIT_MS = 300_000;

describeWithServers('three servers', () => {
  let servers: NatsServers;

  beforeAll(async () => {
    servers = await NatsServers.start({ count: 3 });
  }, WAIT_MS);
  afterAll(() => servers.stop());

  test('behavior: leaders that die or stop cost no block and make no fork', {
    timeout: WAIT_MS,
  }, async () => {
    const chain = newChain();
    const logs = [await open(servers, chain), await open(servers, chain)];
    const written: LogBlock[] = [];
    let parent = chain.genesisId;
    const appendNext = async (): Promise<void> => {
      const number = written.length + 1;
      const size = number % 10 === 0 ? 2 * STREAM_PART_BYTES_MAX : 0;
      const candidates = logs.map((_, index) => blockAfter(number, parent, `${index}`, size));
      const outcomes = await Promise.all(
        logs.map((log, index) =>
          eventually(() => append(log, candidates[index] ?? blockAfter(number, parent))),
        ),
      );
      expect([...outcomes].sort()).toEqual(['appended', 'conflict']);
      const winner = candidates[outcomes.indexOf('appended')];
      if (winner === undefined) throw new Error('one of them was appended');
      written.push(winner);
      parent = winner.id;
    };
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      for (let made = 0; made < 12; made += 1) await appendNext();
      const leader = await eventually(async () => {
        const { cluster } = await (logs[0] as OpenLog).messages.info();
        return cluster?.leader ?? '';
      });
      const appending = appendNext();
      await servers.signal(leader, signal);
      await appending;
      for (let made = 0; made < 6; made += 1) await appendNext();
      if (signal === 'SIGKILL') await servers.launch(leader);
      else await servers.signal(leader, 'SIGCONT');
    }
    for (const log of logs) {
      expect(differing(written, await eventually(() => read(log, 1, written.length)))).toEqual([]);
    }
  });
});
