import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { jetStreamSource } from '../block-log/jetstream/jetstream.ts';
import { NATS_SERVER, NatsServers, WITHOUT_SERVER } from '../block-log/jetstream/nats-servers.testing.ts';
import { makeChain, TestFolders, testJob } from '../chain.testing.ts';
import { seedBlockLog } from './seed-block-log.ts';

// What is never there does not come sooner for being waited for.
vi.mock('../block-log/jetstream/timeouts.ts', async (original) => ({
  ...(await original<typeof import('../block-log/jetstream/timeouts.ts')>()),
  STREAM_OPEN_TIMEOUT_MS: 500,
  STREAM_APPEND_TIMEOUT_MS: 1_000,
}));

const folders = new TestFolders();
let servers: NatsServers | undefined;

afterEach(() => servers?.stop());
afterAll(() => folders.clean());

/** A chain of more blocks than are sent to a log together. */
async function longChain(): Promise<string> {
  const dataDir = folders.folder();
  await makeChain(dataDir, { blocks: 300, kind: 'node' });
  return dataDir;
}

test('error: an unreachable log aborts the call, and the error names it', async () => {
  const dataDir = folders.folder();
  await makeChain(dataDir, { blocks: 1, kind: 'node' });
  const log = jetStreamSource({
    address: { servers: ['127.0.0.1:1'], login: undefined, tls: false },
    credentialsFile: undefined,
    authorityFile: undefined,
    replicas: 1,
    monitors: [],
    assumeSynced: true,
  });
  await expect(seedBlockLog({ dataDir, log }, testJob())).rejects.toThrow(
    'no connection to the log at nats://127.0.0.1:1 within 0.5 s: connection refused',
  );
});

test.skipIf(NATS_SERVER === undefined)(
  `error: a log lost during the call aborts it, and a second call resumes${WITHOUT_SERVER}`,
  async () => {
    const dataDir = await longChain();
    const started = await NatsServers.start();
    servers = started;
    const [{ name, port } = { name: '', port: 0 }] = started.servers;
    const log = jetStreamSource(started.settings());
    const work = { ...testJob(), onProgress: () => void started.signal(name, 'SIGKILL') };
    await expect(seedBlockLog({ dataDir, log }, work)).rejects.toThrow(
      new RegExp(
        `^the log at nats://127\\.0\\.0\\.1:${port} has not confirmed block 257 within 1 s: .*; ` +
          'it has at least the first 256 of 300 blocks: the same command continues$',
      ),
    );
    await started.launch(name);
    expect(await seedBlockLog({ dataDir, log }, testJob())).toMatchObject({ head: 300, interrupted: false });
  },
);
