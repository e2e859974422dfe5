import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamConfig } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.testing.ts';
import { openJetStream } from './jetstream.ts';
import type { JetStreamSettings } from './log-address.ts';
import { chainIdentity } from './log-chain.testing.ts';
import { asOperator, eventually, NATS_SERVER, NatsServers } from './nats-servers.testing.ts';
import { namesOf } from './stream.ts';
import { describeWithServers, testWithServer } from './with-server.testing.ts';

const WAIT_MS = 300_000;

/** Returns the error of opening a log; undefined without one. */
async function refusal(
  settings: JetStreamSettings,
  chain = chainIdentity('refusals'),
  mayCreate = true,
): Promise<string | undefined> {
  try {
    const { log } = await openJetStream(settings, chain, mayCreate);
    await log.close();
    return undefined;
  } catch (error) {
    if (error instanceof BlockLogUnavailableError || error instanceof BlockLogUnsoundError)
      return error.message;
    throw error;
  }
}

let servers: NatsServers;

beforeAll(async () => {
  if (NATS_SERVER !== undefined) servers = await NatsServers.start();
}, WAIT_MS);
afterAll(() => servers?.stop());

testWithServer('default: it is taken, and its stream made as it has to be', async () => {
  expect(await refusal(servers.settings())).toBeUndefined();
  expect(await refusal(servers.settings(), undefined, false)).toBeUndefined();
});

testWithServer('error: no stream where the store has blocks', async () => {
  const message = await refusal(servers.settings(), chainIdentity('not there'), false);
  expect(message).toMatch(/has no stream ledgerd-[0-9a-f]{16}: .*ledgerd block-log seed/);
});

testWithServer('error: too few replicas', async () => {
  const settings = servers.settings({ replicas: 3 });
  expect(await refusal(servers.settings())).toBeUndefined();
  expect(await refusal(settings)).toContain('it has 1 replica and --block-log-replicas requires 3');
  expect(await refusal(settings, chainIdentity('another'))).toContain('with 3 replicas cannot be created');
});

testWithServer('error: nothing shows how the servers write', async () => {
  const message = await refusal(servers.settings({ monitors: [] }));
  expect(message).toContain('give --block-log-monitor with the URL');
  expect(message).toContain('--block-log-assume-synced');
  expect(await refusal(servers.settings({ monitors: [], assumeSynced: true }))).toBeUndefined();
});

testWithServer('error: a monitor that is none, or does not respond, or is another server', async () => {
  const answers = ['{}', 'no JSON', `{"server_name":"x","version":"2.11.9"}`, ' '.repeat(2 ** 21)];
  const server = createServer((_request, response) => response.end(answers[0]));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const said: (string | undefined)[] = [];
  for (; answers.length > 0; answers.shift()) said.push(await refusal(servers.settings({ monitors: [url] })));
  server.close();
  said.push(await refusal(servers.settings({ monitors: [url] })));
  expect(said).toEqual([
    expect.stringContaining('is not the monitoring port of a NATS server'),
    expect.stringContaining('is not the monitoring port of a NATS server'),
    expect.stringContaining('it is nats-server 2.11.9, and 2.12 is needed'),
    expect.stringContaining('is not the monitoring port of a NATS server'),
    expect.stringMatching(
      /server-1 also stores the log, and --block-log-monitor shows nothing of it: .*does not respond/,
    ),
  ]);
});

test.skipIf(NATS_SERVER === undefined).each<[string, Partial<StreamConfig> | object, string]>([
  ['deletes', { deny_delete: false }, 'messages can be deleted from it (deny_delete is off)'],
  ['purges', { deny_purge: false }, 'it can be purged (deny_purge is off)'],
  ['a limit of messages', { max_msgs: 1_000 }, 'it has a limit of messages, bytes or age'],
  ['a limit of bytes', { max_bytes: 1_000_000 }, 'it has a limit of messages, bytes or age'],
  ['a limit of age', { max_age: 3_600_000_000_000 }, 'it has a limit of messages, bytes or age'],
  ['a limit of size', { max_msg_size: 1_000 }, 'it has a limit of messages, bytes or age'],
  ['a limit for a subject', { max_msgs_per_subject: 9 }, 'it has a limit of messages, bytes or age'],
  ['storage in memory', { storage: 'memory' }, 'its storage is memory, not file'],
  ['persist mode async', { persist_mode: 'async', allow_atomic: false }, 'its persist mode is async'],
  ['discarded messages', { discard: 'old' }, 'it discards old messages for new ones'],
  ['no batches', { allow_atomic: false }, 'it does not support batches of messages'],
  ['no direct reads', { allow_direct: false }, 'its replicas cannot be read'],
  ['messages that replace others', { allow_rollup_hdrs: true, deny_purge: false }, 'can replace others'],
  ['messages that expire', { allow_msg_ttl: true }, 'messages can expire'],
  ['another retention', { retention: 'workqueue' }, 'its retention is workqueue, not limits'],
  ['another chain', { metadata: {} }, 'it is the stream of another chain or program'],
  ['other subjects', { subjects: ['other.>'] }, 'it has more or other subjects than ledgerd.'],
])('error: a stream with %s', async (title, changes, complaint) => {
  const [safe, chain] = [chainIdentity(`${title}, safe`), chainIdentity(title)];
  const { stream, blocks } = namesOf(chain);
  expect(await refusal(servers.settings(), safe)).toBeUndefined();
  await asOperator(servers.settings(), async ({ nats, manager }) => {
    const { config } = await manager.streams.info(namesOf(safe).stream);
    const { metadata, ...rest } = config;
    const own = { ...metadata, 'ledgerd.chain': Buffer.from(chain.chainId).toString('hex') };
    const genesis = { 'ledgerd.genesis': Buffer.from(chain.genesisId).toString('hex') };
    await manager.streams.delete(namesOf(safe).stream);
    const answer = await nats.request(
      `$JS.API.STREAM.CREATE.${stream}`,
      JSON.stringify({
        ...{ ...rest, name: stream, subjects: [blocks], republish: undefined },
        ...{ metadata: { ...own, ...genesis }, ...changes },
      }),
    );
    expect(answer.json()).not.toHaveProperty('error');
  });
  expect(await refusal(servers.settings(), chain, false)).toContain(complaint);
});

testWithServer('error: a stream of which messages were deleted', async () => {
  const chain = chainIdentity('deleted');
  expect(await refusal(servers.settings(), chain)).toBeUndefined();
  const { stream, blocks } = namesOf(chain);
  await asOperator(servers.settings(), async ({ nats, manager }) => {
    const { config } = await manager.streams.info(stream);
    await manager.streams.delete(stream);
    await manager.streams.add({ ...config, deny_delete: false });
    for (let sent = 0; sent < 3; sent += 1) await nats.request(blocks, 'x');
    await manager.streams.deleteMessage(stream, 2);
  });
  expect(await refusal(servers.settings(), chain)).toMatch(/messages were deleted .* 1 of them deleted/);
});

testWithServer('error: a file of credentials or certificates that is not there', async () => {
  const missing = join(servers.folder, 'missing');
  expect(await refusal(servers.settings({ credentialsFile: missing }))).toContain(
    '--block-log-credentials: ',
  );
  expect(await refusal(servers.settings({ authorityFile: missing }))).toContain('--block-log-ca: ');
  const empty = join(servers.folder, 'empty.creds');
  writeFileSync(empty, 'no credentials');
  expect(await refusal(servers.settings({ credentialsFile: empty }))).toContain('has no NATS credentials');
});

describeWithServers('other servers', () => {
  test('error: sync_interval is not always', { timeout: WAIT_MS }, async () => {
    for (const jetstream of ['', 'sync_interval: 1s']) {
      const servers = await NatsServers.start({ jetstream });
      const message = await refusal(servers.settings());
      await servers.stop();
      expect(message).toContain('it confirms writes before they are on disk; set sync_interval: always');
    }
  });

  test('error: messages that are too small for a part of a block', { timeout: WAIT_MS }, async () => {
    const servers = await NatsServers.start({ lines: 'max_payload: 500000' });
    const message = await refusal(servers.settings());
    await servers.stop();
    expect(message).toContain('it accepts messages of 500000 bytes');
  });

  test('error: a user and password that the servers reject', { timeout: WAIT_MS }, async () => {
    const servers = await NatsServers.start({
      lines: 'accounts { app { jetstream: enabled, users: [{ user: me, password: secret }] } }',
    });
    const { address } = servers.settings();
    const as = (password: string) =>
      servers.settings({ address: { ...address, login: { user: 'me', password } } });
    const [right, wrong, none] = [
      await refusal(as('secret')),
      await refusal(as('guess')),
      await refusal(servers.settings()),
    ];
    await servers.stop();
    expect(right).toBeUndefined();
    expect(wrong).toContain('no connection to the log at nats://127.0.0.1:');
    expect(wrong).not.toContain('guess');
    expect(none).toContain('Authorization');
  });
});

describeWithServers('servers that require authentication', () => {
  test('behavior: TLS, with no fallback to plaintext when it is requested', {
    timeout: WAIT_MS,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-certificate-'));
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    writeFileSync(certificate, CERTIFICATE);
    writeFileSync(key, CERTIFICATE_KEY);
    const [encrypted, plain] = [
      await NatsServers.start({ lines: `tls { cert_file: "${certificate}", key_file: "${key}" }` }),
      await NatsServers.start(),
    ];
    const as = (servers: NatsServers) =>
      servers.settings({ address: { ...servers.settings().address, tls: true }, authorityFile: certificate });
    const { address } = as(encrypted);
    const servers = address.servers.map((server) => server.replace('127.0.0.1', 'localhost'));
    const [right, wrong, misnamed] = [
      await refusal(as(encrypted)),
      await refusal(as(plain)),
      await refusal({ ...as(encrypted), address: { ...address, servers } }),
    ];
    await Promise.all([encrypted.stop(), plain.stop()]);
    rmSync(folder, { recursive: true });
    expect(right).toBeUndefined();
    expect(misnamed).toContain("does not match certificate's altnames");
    expect(wrong).toContain("server does not support 'tls'");
  });

  test('behavior: a token', { timeout: WAIT_MS }, async () => {
    const servers = await NatsServers.start({ lines: 'authorization { token: "t0ken" }' });
    const { address } = servers.settings();
    const message = await refusal(servers.settings({ address: { ...address, login: { token: 't0ken' } } }));
    await servers.stop();
    expect(message).toBeUndefined();
  });

  test('behavior: a cluster stays available while one of its servers is down', {
    timeout: WAIT_MS,
  }, async () => {
    const servers = await NatsServers.start({ count: 3 });
    const chain = chainIdentity('one down');
    try {
      await eventually(async () => expect(await refusal(servers.settings(), chain)).toBeUndefined());
      await servers.signal('server-2', 'SIGKILL');
      await eventually(async () => expect(await refusal(servers.settings(), chain)).toBeUndefined());
      const shown = servers.settings({ monitors: servers.settings().monitors.slice(2) });
      await eventually(async () =>
        expect(await refusal(shown, chain)).toContain('server-1 also stores the log'),
      );
    } finally {
      await servers.stop();
    }
  });
});
