import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BlockLogUnavailableError } from '../block-log.ts';
import { blockAfter } from './log-chain.testing.ts';
import { eventually, NatsServers } from './nats-servers.testing.ts';
import { append, newChain, open } from './real-log.testing.ts';
import { type StreamCluster, unavailabilityOf } from './stream.ts';
import { describeWithServers } from './with-server.testing.ts';

const WAIT_MS = 300_000;
const SECOND = 1e9;

/** A replica with what it has, heard so many nanoseconds ago. */
function replica(current: boolean, active: number) {
  return { name: 'replica', peer: 'peer', offline: false, lag: 0, current, active };
}

describe('reasons why a stream cannot accept messages', () => {
  test.each<[string, StreamCluster]>([
    ['a server on its own', undefined],
    ['a stream without replicas', { leader: 'server-1' }],
    ['three that are there', { leader: 'server-1', replicas: [replica(true, SECOND), replica(true, 1)] }],
    ['one of three is gone', { leader: 'server-1', replicas: [replica(true, 1), replica(false, 0)] }],
    ['one catches up', { leader: 'server-1', replicas: [replica(false, 1), replica(false, 60 * SECOND)] }],
  ])('behavior: nothing: %s', (_name, cluster) => {
    expect(unavailabilityOf(cluster)).toBeUndefined();
  });

  test.each<[string, StreamCluster]>([
    ['its stream has no leader', { replicas: [replica(true, 1), replica(true, 1)] }],
    ['its stream has no leader', { leader: '', replicas: [] }],
    [
      'the leader of its stream reaches 0 of 2 replicas',
      { leader: 'server-1', replicas: [replica(true, 6 * SECOND), replica(false, 0)] },
    ],
    [
      'the leader of its stream reaches 1 of 4 replicas',
      { leader: 'server-1', replicas: [1, 6, 6, 6].map((seconds) => replica(true, seconds * SECOND)) },
    ],
  ])('error: %s', (lack, cluster) => {
    expect(unavailabilityOf(cluster)).toBe(lack);
  });
});

describeWithServers('three servers', () => {
  let servers: NatsServers;

  beforeAll(async () => {
    servers = await NatsServers.start({ count: 3 });
  }, WAIT_MS);
  afterAll(() => servers.stop());

  test.each(['the leader', 'a follower'])(
    'error: %s alone does not return the log head until another server is back',
    { timeout: WAIT_MS },
    async (survivor) => {
      const chain = newChain();
      const opened = await open(servers, chain);
      expect(await append(opened, blockAfter(1, chain.genesisId))).toBe('appended');
      const { cluster } = await eventually(() => opened.messages.info());
      const isKept = (name: string) => (name === cluster?.leader) === (survivor === 'the leader');
      const names = servers.servers.map(({ name }) => name);
      const kept = names.find(isKept);
      const killed = names.filter((name) => name !== kept);
      for (const name of killed) await servers.signal(name, 'SIGKILL');
      // At first nobody can know it; then it answers, and says what it lacks.
      await eventually(async () => {
        const refusal = await opened.log.head().then(
          () => new Error('it says where the log ends'),
          (error: unknown) => error,
        );
        if (!(refusal instanceof BlockLogUnavailableError)) throw refusal;
        if (!refusal.message.includes('accepts no blocks')) throw refusal;
      });
      await expect(opened.log.head()).rejects.toThrow(/accepts no blocks: (its stream has|the leader of)/);
      for (const name of killed) await servers.launch(name);
      expect(await eventually(() => opened.log.head())).toBe(1);
    },
  );
});
