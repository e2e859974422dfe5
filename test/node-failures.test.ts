import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { type CrashChain, makeChain } from './crash/chain.ts';
import { sendCreation } from './crash/creation.ts';
import { inspect } from './crash/inspection.ts';
import { Journal } from './crash/journal.ts';
import { headOf } from './crash/node-client.ts';
import { post, type RpcResponse } from './json-rpc.ts';
import { NodeProcess } from './node-process.ts';

/** Output of every start in these tests. */
const QUICKLY = ['--port', '0', '--block-interval', '0.2', '--min-free-space', '0'];
/** Exit status of a program that cannot use its data folder. */
const UNUSABLE = 3;
/** And of one that another process works on. */
const IN_USE = 4;
/** Unit of `ulimit -f` of a POSIX shell in bytes, and the free units of a full disk. */
const LIMIT_UNIT = 512;
const UNITS_LEFT = 400;
/** And how many a temporary chain may have. */
const TEMPORARY_UNITS = 4_096;
/** A call that reads the store's file, so that newer blocks must be written before. */
const READ_FROM_FILE: readonly (readonly [method: string, ...params: readonly unknown[]])[] = [
  ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }],
  ['debug_traceBlockByNumber', '0x1', {}],
  ['debug_traceCall', { data: '0x00' }, 'latest', {}],
  ['trace_block', '0x1'],
  ['evm_snapshot'],
];
/** Bytes of data of a creation, large enough for a few of them to fill that disk. */
const CREATION_BYTES = 20_000;

/** The file that keeps two processes from opening the database at once. */
const GATE = 'ledger/gate.mdb';

let parent: string;
let chain: CrashChain;
/** Responses that the clients of the chain received while it was made. */
const told = new Journal();
/** A copy of the chain's folder, for one test. */
let folder: string;
/** Nodes that a test started. */
let nodes: NodeProcess[] = [];

/** A chain of a few blocks with something in them. */
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'ledgerd-failures-'));
  chain = await makeChain(join(parent, 'made'), 1);
  const node = start(chain.folder);
  const url = await node.ready();
  for (let serial = 0; serial < 10; serial += 1)
    await sendCreation({ chain, url, journal: told }, serial, CREATION_BYTES);
  await node.madeBlocks(2);
  expect(await node.end('SIGTERM')).toEqual({ status: 0, signal: null });
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

beforeEach(() => {
  folder = join(parent, 'copy');
  cpSync(chain.folder, folder, { recursive: true });
});

/** Ends the processes of failed tests, too. */
afterEach(async () => {
  for (const node of nodes) if (node.isRunning) await node.end('SIGKILL');
  nodes = [];
  rmSync(folder, { recursive: true, force: true });
});

function start(dataDir: string, wrapper: readonly string[] = []): NodeProcess {
  const node = new NodeProcess(['start', '--data-dir', dataDir, ...QUICKLY], wrapper);
  nodes.push(node);
  return node;
}

/** Returns the bytes of a database file up to its last page: the free space after it has no data. */
function usedBytes(path: string): number {
  const content = readFileSync(path);
  const pageBytes = content.readUInt32LE(48);
  const lastPages = [0, pageBytes].map((meta) => Number(content.readBigUInt64LE(meta + 144)));
  return (Math.max(...lastPages) + 1) * pageBytes;
}

const databaseOf = (dataDir: string): string => join(dataDir, 'ledger', 'ledger.mdb');

/** Content and mode of every file below a folder but LMDB's tables of readers, which every look at it changes. */
function snapshot(path: string): [name: string, mode: number, digest: string][] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((name) => !name.endsWith('-lock') && statSync(join(path, name)).isFile())
    .map((name) => {
      const content = readFileSync(join(path, name));
      const digest = createHash('sha256').update(content).digest('hex');
      return [name, statSync(join(path, name)).mode, digest];
    });
}

/** Starts a node that must refuse to start without a change of its folder. Returns its output. */
async function refusal(wrapper: readonly string[] = []): Promise<string> {
  const before = snapshot(folder);
  const node = start(folder, wrapper);
  const ending = await node.ended();
  expect([ending, node.output]).toEqual([{ status: UNUSABLE, signal: null }, expect.any(String)]);
  // LMDB needs a separate file to read another one safely.
  const own = before.some(([name]) => name === GATE) ? [] : [GATE];
  expect(snapshot(folder).filter(([name]) => !own.includes(name))).toEqual(before);
  expect(node.output).toMatch(/^ledgerd: cannot start: [^\n]+$/);
  return node.output;
}

test.skipIf(process.platform === 'win32')(
  'behavior: a temporary chain on a full disk rejects writes, and reads of unwritten data',
  async () => {
    const limit = ['sh', '-c', `ulimit -f ${TEMPORARY_UNITS}; exec "$@"`, 'sh'];
    const full = new NodeProcess(['start', '--test', '--port', '0', '--log-format', 'json'], limit);
    nodes.push(full);
    const url = await full.ready();
    const ask = async (method: string, ...params: readonly unknown[]): Promise<RpcResponse> =>
      (await post(url, { jsonrpc: '2.0', id: 1, method, params })).response();
    const from = '0x0000000000000000000000000000000000000400';
    const data = `0x00${'ab'.repeat(CREATION_BYTES)}`;
    let sent: RpcResponse = { jsonrpc: '2.0', id: 1, result: null };
    while (sent.error === undefined) sent = await ask('eth_sendTransaction', { from, data, gas: '0x989680' });
    const error = { code: -32000, message: 'nothing is written for now: the disk is full' };
    expect(sent.error).toEqual(error);
    for (const [method, ...params] of READ_FROM_FILE) {
      expect([method, await ask(method, ...params)]).toMatchObject([method, { error }]);
    }
    // Calls of cached data succeed.
    expect(await ask('eth_blockNumber')).toHaveProperty('result');
    expect(await ask('eth_getBalance', from, 'latest')).toHaveProperty('result');
    expect((await fetch(new URL('/health', url))).status).toBe(503);
    expect(await full.end('SIGTERM')).toEqual({ status: 0, signal: null });
  },
);

/** The limit on the length of files can be lifted from outside while a process runs. */
const canLift = spawnSync('prlimit', ['--version']).status === 0;

test.skipIf(!canLift)(
  'behavior: health and metrics report a temporary chain held only in memory until disk space is free',
  async () => {
    const limit = ['prlimit', `--fsize=${TEMPORARY_UNITS * LIMIT_UNIT}:unlimited`];
    const full = new NodeProcess(['start', '--test', '--port', '0', '--log-format', 'json'], limit);
    nodes.push(full);
    const url = await full.ready();
    const ask = async (method: string, ...params: readonly unknown[]): Promise<RpcResponse> =>
      (await post(url, { jsonrpc: '2.0', id: 1, method, params })).response();
    const health = async () => {
      const response = await fetch(new URL('/health', url));
      return {
        status: response.status,
        problems: ((await response.json()) as { problems: unknown }).problems,
      };
    };
    const metrics = async () => {
      const response = await fetch(new URL('/metrics', url));
      return { status: response.status, text: await response.text() };
    };
    const from = '0x0000000000000000000000000000000000000400';
    const data = `0x00${'ab'.repeat(CREATION_BYTES)}`;
    const create = () => ask('eth_sendTransaction', { from, data, gas: '0x989680' });
    // Reading the file has them written, until that fails.
    while ((await ask('evm_snapshot')).error === undefined) await create();
    const logs = new WebSocket(url.replace('http', 'ws'));
    await once(logs, 'open');
    const [told, closed] = [once(logs, 'message'), once(logs, 'close')];
    logs.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["logs",{}]}');
    await told;
    // A block that goes to memory is no sign that writing works.
    expect(await ask('evm_mine')).toHaveProperty('result');
    expect(await health()).toEqual({
      status: 503,
      problems: [
        expect.stringMatching(/^the newest \d+ blocks could not be written, and are in memory only$/),
      ],
    });
    const during = await metrics();
    expect(during.status).toBe(200);
    expect(during.text).toMatch(/^ledgerd_store_write_failed 1$/m);
    expect(during.text).toMatch(/^ledgerd_store_unwritten_blocks [1-9]\d*$/m);
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1013, 'nothing is written for now: the disk is full']);
    expect(spawnSync('prlimit', [`--pid=${full.processId}`, '--fsize=unlimited']).status).toBe(0);
    await vi.waitFor(async () => expect(await health()).toEqual({ status: 200, problems: [] }), {
      timeout: 30_000,
      interval: 100,
    });
    expect((await metrics()).text).toMatch(/^ledgerd_store_write_failed 0$/m);
    expect(await ask('eth_getLogs', { fromBlock: '0x0' })).toHaveProperty('result');
    expect(await full.end('SIGTERM')).toEqual({ status: 0, signal: null });
  },
  120_000,
);

test.skipIf(process.platform === 'win32')(
  'behavior: a full disk blocks only writes, and no data is lost',
  async () => {
    const most = Math.ceil(statSync(databaseOf(folder)).size / LIMIT_UNIT) + UNITS_LEFT;
    const full = start(folder, ['sh', '-c', `ulimit -f ${most}; exec "$@"`, 'sh']);
    const url = await full.ready();
    const journal = new Journal();
    for (const [name, sent] of told.given) journal.given.set(name, sent);
    let answer: Pick<RpcResponse, 'error'> = {};
    for (let serial = 100; answer.error === undefined; serial += 1) {
      answer = await sendCreation({ chain, url, journal }, serial, CREATION_BYTES);
    }
    expect(answer.error).toEqual({ code: -32000, message: 'nothing is written for now: the disk is full' });
    await full.logged('internalFailure');
    const health = await fetch(new URL('/health', url));
    expect([health.status, await health.json()]).toEqual([
      503,
      expect.objectContaining({ ok: false, problems: [expect.stringContaining('could not be written')] }),
    ]);
    expect(full.output).toMatch(/STORE_COMMIT_FAILED.*the disk is full, or it fails/);
    journal.show(await headOf(url));
    expect(await full.end('SIGTERM')).toEqual({ status: 0, signal: null });

    const roomy = start(folder);
    const again = await roomy.ready();
    await roomy.madeBlocks(2);
    expect(journal.given.size).toBeGreaterThan(told.given.size);
    let found = await inspect(again, journal, chain.newModel());
    // If the machine pauses, a block may contain one of them.
    while (found.pending > 0) {
      await roomy.madeBlocks(1);
      found = await inspect(again, journal, chain.newModel());
    }
    expect(found).toMatchObject({ included: journal.given.size, expired: 0 });
    expect((await fetch(new URL('/health', again))).status).toBe(200);
    expect(await roomy.end('SIGTERM')).toEqual({ status: 0, signal: null });
    const verification = new NodeProcess(['verify', '--data-dir', folder]);
    expect([await verification.ended(), verification.output]).toEqual([
      { status: 0, signal: null },
      expect.stringContaining('the chain is sound'),
    ]);
  },
);

/** Makes a folder read-only for a process: by permissions or, for root, by a separate mount. */
const READ_ONLY: readonly string[] | undefined =
  process.getuid?.() === 0
    ? [
        'unshare',
        '--mount',
        'sh',
        '-c',
        'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
      ]
    : ['sh', '-c', 'chmod -R a-w "$0" && "$@"; status=$?; chmod -R u+w "$0"; exit $status'];
/** A container may not mount anything. */
const canBeReadOnly =
  process.platform === 'linux' &&
  spawnSync(READ_ONLY[0] ?? '', [...READ_ONLY.slice(1), tmpdir(), 'true']).status === 0;

test.skipIf(!canBeReadOnly)('error: a read-only folder (skipped without permission to mount)', async () => {
  expect(await refusal([...READ_ONLY, folder])).toMatch(/cannot be used: .*(read-only|EACCES)/);
});

test('error: a folder on which another process runs', async () => {
  const first = start(folder);
  const url = await first.ready();
  const second = start(folder);
  expect(await second.ended()).toEqual({ status: IN_USE, signal: null });
  expect(second.output).toBe(
    `ledgerd: cannot start: the data folder ${folder} is in use by another running ledgerd`,
  );
  await first.madeBlocks(1);
  expect(Number((await headOf(url)).number)).toBeGreaterThan(0);
  expect(await first.end('SIGTERM')).toEqual({ status: 0, signal: null });
});

test.each([
  ['in its first page', () => 100],
  ['after the first page', () => 4_096],
  ['in the middle', (size: number) => Math.floor(size / 2)],
  ['in its last tenth', (size: number) => Math.floor(size * 0.9)],
])('error: a database file that is torn %s', async (_place, length) => {
  const path = databaseOf(folder);
  truncateSync(path, length(usedBytes(path)));
  expect(await refusal()).toMatch(/ledger\.mdb is (not a database, or its beginning is )?damaged/);
});

test('error: a database file with invalid content', async () => {
  writeFileSync(databaseOf(folder), 'SQLite format 3\0'.padEnd(100_000, 'x'));
  expect(await refusal()).toContain('ledger.mdb is not a database, or its beginning is damaged');
});

test('error: the database of another program', async () => {
  rmSync(join(folder, 'ledger'), { recursive: true });
  cpSync(join(chain.folder, 'keys'), join(folder, 'ledger'), { recursive: true });
  expect(await refusal()).toContain('holds other files and no ledger.mdb');
  rmSync(join(folder, 'ledger'), { recursive: true });
  const foreign = open({ path: databaseOf(folder), noSubdir: true });
  await foreign.put('hello', 'world');
  await foreign.close();
  expect(await refusal()).toContain('is a database of another program');
});

test('error: a database of a newer version', async () => {
  const path = databaseOf(folder);
  const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const database = open({ path, noSubdir: true, ...binary });
  const meta = database.openDB<Uint8Array, Uint8Array>('1-meta', binary);
  await meta.put(Buffer.from('format'), Uint8Array.of(0, 0, 0, 200));
  await database.close();
  expect(await refusal()).toContain(
    `${path} has format 200; this version of the program knows formats up to`,
  );
});

test.skipIf(process.platform === 'win32')('error: keys that others can read, or exchange', async () => {
  const [file, keys] = [join(folder, 'keys', 'producer.json'), join(folder, 'keys')];
  chmodSync(file, 0o640);
  expect(await refusal()).toContain(file);
  chmodSync(file, 0o600);
  chmodSync(keys, 0o777);
  expect(await refusal()).toContain(`the key folder ${keys} (mode 777): chmod 700`);
});

test('error: a folder that was not initialised', async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  const said = await refusal();
  expect(said).toContain(`ledgerd init --data-dir ${folder}`);
  expect(said).toContain('--test');
});
