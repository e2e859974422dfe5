import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOperator, NATS_SERVER, NatsServers } from '../../node/block-log/jetstream/nats-servers.testing.ts';
import { testWithServer } from '../../node/block-log/jetstream/with-server.testing.ts';
import { makeChain } from '../../node/chain.testing.ts';
import { testEnvironment } from '../environment.testing.ts';
import { main } from '../main.ts';
import { CommandFolders, run } from './chain.testing.ts';

const folders = new CommandFolders();

describe('without a server', () => {
  test.each<[string[], string]>([
    [['block-log'], "missing required argument 'action'"],
    [['block-log', 'erase'], '<action>: expected one of status, seed, got "erase"'],
    [['block-log', 'status'], '--block-log: name the servers of the log'],
    [['block-log', 'seed', '--block-log', 'nats://a'], '--data-dir: name the data folder'],
    [['block-log', 'status', '--port', '0'], "unknown option '--port'"],
    [['block-log', 'status', '--data-dir', 'x'], '--block-log: name the servers of the log'],
    [['block-log', 'seed', '--data-dir', 'x', '--json'], '--json belongs to ledgerd block-log status'],
    [
      ['block-log', 'seed', '--data-dir', 'x', '--block-log', 'http://a'],
      '--block-log: expected URLs of NATS servers',
    ],
    [['start', '--data-dir', 'x', '--block-log-replicas', '1'], '--block-log-replicas needs --block-log'],
    [['start', '--block-log', 'nats://a'], '--block-log belongs to node mode'],
  ])('error: %j', async (words, message) => {
    const { status, errors } = await run(words);
    expect(status).toBe(2);
    expect(errors).toContain(message);
  });

  test('error: credentials are not repeated', async () => {
    const { errors } = await run([
      'config',
      '--data-dir',
      'x',
      '--block-log',
      'nats://me:hidden@a,http://you:hid@den@b',
    ]);
    expect(errors).toContain('got "nats://***@a,http://***@b"');
    const { output } = await run(['config', '--data-dir', 'x', '--block-log', 'nats://me:hidden@a,nats://b']);
    expect(JSON.parse(output)).toMatchObject({
      settings: { 'block-log': { value: 'nats://a:4222,nats://b:4222' } },
    });
    expect(output).not.toContain('hidden');
  });
});

test('error: stop requested while the block log does not respond', async () => {
  const dataDir = folders.folder();
  await makeChain(dataDir, { blocks: 1, kind: 'node' });
  const { environment, errors, stop } = testEnvironment();
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    stop();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const log = ['--block-log', `nats://127.0.0.1:${port}`, '--block-log-replicas', '1'];
  const status = await main(['block-log', 'seed', '--data-dir', dataDir, ...log], environment);
  expect({ status, errors: errors() }).toEqual({
    status: 1,
    errors: 'ledgerd: cannot seed the log: interrupted\n',
  });
  silent.close();
  // The folder is free for others, and whole.
  expect((await run(['verify', '--data-dir', dataDir])).status).toBe(0);
});

let servers: NatsServers | undefined;

let chain = '';

beforeAll(async () => {
  if (NATS_SERVER === undefined) return;
  servers = await NatsServers.start();
  chain = folders.folder();
  await makeChain(chain, { blocks: 300, kind: 'node' });
});
afterAll(async () => {
  await servers?.stop();
  folders.clean();
});

function words(action: string, dataDir = chain): string[] {
  const [server] = servers?.servers ?? [];
  const log = ['--block-log', `nats://127.0.0.1:${server?.port}`, '--block-log-replicas', '1'];
  return ['block-log', action, '--data-dir', dataDir, ...log, '--block-log-monitor', `${server?.monitor}`];
}

testWithServer('default: seeded from a store, then again from where it ends, and told of', async () => {
  const before = await run(words('status'));
  expect(before.output).toMatch(
    /which does not exist\nHead +unknown\nStore +block 300\nProblem +the stream ledgerd-[0-9a-f]{16} does not exist/,
  );
  const { status, output } = await run(words('seed'));
  expect(output).toMatch(/^the log ledgerd-[0-9a-f]{16} has blocks up to 300, 300 of them written now, in /);
  expect(status).toBe(0);
  await makeChain(chain, { blocks: 20, kind: 'node' });
  expect((await run(words('seed'))).output).toContain('has blocks up to 320, 20 of them written now');
  const report = JSON.parse((await run([...words('status'), '--json'])).output);
  expect(report).toMatchObject({ head: 320, storeHead: 320, isSameChain: true, problems: [] });
  expect((await run(words('status'))).output).toMatch(
    /Head +block 320\nStore +block 320, of the same chain\n$/,
  );
});

testWithServer('default: status without a data folder describes the only chain of the log', async () => {
  const fresh = await NatsServers.start();
  try {
    const [server] = fresh.servers;
    const log = ['--block-log', `nats://127.0.0.1:${server?.port}`, '--block-log-replicas', '1'];
    const options = [...log, '--block-log-monitor', `${server?.monitor}`];
    expect((await run(['block-log', 'status', ...options])).errors).toMatch(/has no stream of a chain\n$/);
    expect(await run(['block-log', 'seed', '--data-dir', chain, ...options])).toMatchObject({ status: 0 });
    const { status, output } = await run(['block-log', 'status', ...options]);
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/Holds .*\nReplicas +1\n(.*\n)*Head +block \d+\n$/),
    ]);
    const json = JSON.parse((await run(['block-log', 'status', '--json', ...options])).output);
    expect(json).toMatchObject({ storeHead: null, isSameChain: null, problems: [] });
    expect(json.head).toBeGreaterThanOrEqual(300);
    await asOperator(fresh.settings(), async ({ manager }) => {
      await manager.streams.add({ name: 'ledgerd-0123', subjects: ['other'] });
    });
    const several = await run(['block-log', 'status', ...options]);
    expect([several.status, several.errors]).toEqual([
      1,
      expect.stringContaining('the streams of several chains'),
    ]);
  } finally {
    await fresh.stop();
  }
});

testWithServer('error: a log that has something else, or more', async () => {
  expect((await run(words('seed'))).status).toBe(0);
  const shorter = folders.folder();
  await makeChain(shorter, { blocks: 10, kind: 'node' });
  const { status, errors } = await run(words('seed', shorter));
  expect({ status, errors }).toEqual({
    status: 1,
    errors:
      'ledgerd: cannot seed the log: the log has blocks up to 320, and this store up to 10: it was not changed\n',
  });
  const other = folders.folder();
  await makeChain(other, { blocks: 330, kind: 'node', pending: 2 });
  const report = JSON.parse((await run([...words('status', other), '--json'])).output);
  expect(report).toMatchObject({ head: 320, storeHead: 330 });
});

testWithServer('error: an unsafe log is told of, and not seeded', async () => {
  const own = words('seed').filter((word) => word !== '--block-log-monitor' && !word.startsWith('http:'));
  expect((await run(own)).errors).toContain('give --block-log-monitor');
  const status = await run(own.map((word) => (word === 'seed' ? 'status' : word)));
  expect(status.output).toContain('Problem        nothing shows');
});

testWithServer('error: a chain of test mode, and none', async () => {
  const test = folders.folder();
  await makeChain(test, { blocks: 1, kind: 'test' });
  expect((await run(words('seed', test))).errors).toContain(
    'has a chain of test mode, which cannot have a block log',
  );
  expect((await run(words('seed', folders.folder()))).errors).toContain('there is no chain in');
});

testWithServer('behavior: a log that is lost is the same again', async () => {
  const copy = folders.folder();
  cpSync(chain, copy, { recursive: true });
  await run(words('seed', copy));
  const tell = async () => JSON.parse((await run([...words('status', copy), '--json'])).output);
  const { stream, head } = await tell();
  if (servers === undefined) throw new Error('there are servers');
  await asOperator(servers.settings(), ({ manager }) => manager.streams.delete(stream));
  expect(await tell()).toMatchObject({ found: null, head: null });
  expect((await run(words('seed', copy))).status).toBe(0);
  expect(await tell()).toMatchObject({ head, isSameChain: true });
});
