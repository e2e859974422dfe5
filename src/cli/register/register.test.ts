import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION, startTestNode, type TestNode } from '../../node/index.ts';
import {
  accountId,
  createKeyPair,
  formatPublicKey,
  hexToBytes,
  solves,
  toBlockId,
  toPrefixedHex,
  toSeed,
} from '../../protocol/index.ts';
import { testEnvironment } from '../environment.testing.ts';
import type { Environment } from '../environment.ts';
import { main } from '../main.ts';
import { runRegister } from './register.ts';
import { solve } from './solver.ts';

const EVM_ADDRESS = '0x00000000000000000000000000000000deadbeef';
const NEVER = new Promise<void>(() => undefined);

let folder: string;
let node: TestNode | undefined;
let server: Server | undefined;

/** Threads run compiled code. */
beforeAll(() => {
  const script = fileURLToPath(new URL('../../../scripts/setup.js', import.meta.url));
  expect(spawnSync(process.execPath, [script], { encoding: 'utf8' })).toMatchObject({ status: 0 });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-register-'));
});

afterEach(async () => {
  await node?.close();
  server?.close();
  server?.closeAllConnections();
  node = undefined;
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function startNode(changes: Partial<typeof DEFAULT_CONFIGURATION> = {}): Promise<TestNode> {
  node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, ...changes });
  return node;
}

/** A server that allows every registration, and responds to other requests as the test decides. */
async function startServer(
  respond: (body: string) => [status: number, text: string] | undefined,
): Promise<string> {
  const listening = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const given = body.includes('ledger_checkRegistration') ? resultOf(true) : respond(body);
      if (given !== undefined) response.writeHead(given[0]).end(given[1]);
    });
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this shape.
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

interface Run {
  readonly status: number;
  readonly out: string;
  readonly errors: string;
}

/** Returns the output of the program; `stop` resolves as the request to stop, and may read the output. */
function recorder(stop: (errors: () => string) => Promise<void>) {
  const written = { out: '', errors: '' };
  const environment: Environment = {
    ...testEnvironment().environment,
    print: (text) => {
      written.out += text;
    },
    printError: (text) => {
      written.errors += text;
    },
    stopRequested: () => stop(() => written.errors),
    end: () => undefined,
  };
  return { written, environment };
}

async function register(words: string[], stop: Promise<void> = NEVER): Promise<Run> {
  const { written, environment } = recorder(() => stop);
  const status = await main(['register', '--threads', '2', ...words], environment);
  return { status, ...written };
}

/** A JSON-RPC response. */
function resultOf(result: unknown): [number, string] {
  return [200, JSON.stringify({ jsonrpc: '2.0', id: 1, result })];
}

const task = (difficulty: string) => ({ blockId: `0x${'0'.repeat(64)}`, randNum: '0x5', difficulty });

describe('solve', () => {
  test('default: a nonce that solves the task, after that many hashes', async () => {
    const blockId = toBlockId(new Uint8Array(20).fill(3));
    let hashes = 0;
    const nonce = await solve(
      { blockId, randNum: 77n, difficulty: 14 },
      {
        threads: 2,
        signal: new AbortController().signal,
        onHashes: (tried) => {
          hashes += tried;
        },
      },
    );
    expect(solves(blockId, 77n, nonce ?? 0n, 14)).toBe(true);
    expect(hashes).toBeGreaterThan(0);
  });

  test('behavior: an aborted search returns undefined', async () => {
    const impossible = { blockId: toBlockId(new Uint8Array(20)), randNum: 0n, difficulty: 256 };
    const ended = new AbortController();
    const onHashes = () => ended.abort();
    expect(await solve(impossible, { threads: 2, signal: ended.signal, onHashes })).toBe(undefined);
    expect(await solve(impossible, { threads: 2, signal: ended.signal, onHashes })).toBe(undefined);
  });
});

describe('ledgerd register', () => {
  test('default: a generated key, in its file before the account is there', async () => {
    const { url, ledger } = await startNode({ registrationDifficulty: 10 });
    const path = join(folder, 'alice.seed');
    const { status, out, errors } = await register([
      ...['--url', url, '--name', 'alice', '--evm-address', EVM_ADDRESS, '--seed-file', path],
    ]);
    expect([status, errors]).toEqual([
      0,
      expect.stringMatching(
        /^solving a task of 10 bits: 1,024 hashes on average, threads: 2\nsolved: [\d,]+ hashes in \d+\.\d s\n$/,
      ),
    ]);
    const seed = readFileSync(path, 'utf8').trim();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { publicKey } = createKeyPair(toSeed(hexToBytes(seed.slice(2))));
    const key = formatPublicKey(publicKey);
    expect(out).toBe(
      [
        `Seed           ${seed}  (secret: it controls the account)`,
        `Seed file      ${path}`,
        'Account        1.2.1034',
        'Address        0x000000000000000000000000000000000000040a',
        'Name           alice',
        `Active key     ${key}`,
        `Consensus key  ${key}`,
        `EVM address    ${EVM_ADDRESS}`,
        '',
      ].join('\n'),
    );
    const account = ledger.accounts.account(accountId(1_034));
    expect(account).toMatchObject({ name: 'alice', echorandKey: publicKey });
    expect(account?.active.keyAuths).toEqual([[publicKey, 1]]);
    expect(account?.evmAddress && toPrefixedHex(account.evmAddress)).toBe(EVM_ADDRESS);
  });

  test('args: keys', async () => {
    const { url, ledger } = await startNode({ registrationDifficulty: 0 });
    const [active, echorand] = [1, 2].map(
      (byte) => createKeyPair(toSeed(new Uint8Array(32).fill(byte))).publicKey,
    );
    if (active === undefined || echorand === undefined) throw new TypeError('there are two keys');
    const { status, out } = await register([
      ...['--url', url, '--name', 'alice'],
      ...['--active-key', formatPublicKey(active), '--echorand-key', formatPublicKey(echorand)],
    ]);
    expect(status).toBe(0);
    expect(out).not.toContain('Seed');
    expect(ledger.accounts.account(accountId(1_034))).toMatchObject({
      echorandKey: echorand,
      active: { keyAuths: [[active, 1]] },
      evmAddress: undefined,
    });
  });

  test('behavior: a new task when the old one expires', async () => {
    const difficulties = ['0x40', '0x4'];
    const url = await startServer((body) =>
      body.includes('requestRegistrationTask')
        ? resultOf(task(difficulties.shift() ?? '0x4'))
        : resultOf(`0x${'0'.repeat(36)}0400`),
    );
    const { written, environment } = recorder(() => NEVER);
    await runRegister(
      {
        url: new URL(url),
        name: 'alice',
        evmAddress: undefined,
        keys: undefined,
        seedFile: undefined,
        threads: 1,
      },
      environment,
      // The first task cannot be solved in any time.
      300,
    );
    expect(written.errors).toMatch(
      /^solving a task of 64 bits.*\nthe task expires after .*\nsolving a task of 4 bits/,
    );
    expect(written.out).toContain('Account        1.2.1024\n');
  });
});

describe('failures', () => {
  test.each<[string, string[], string]>([
    ['name', ['--name', 'test-account-0'], 'the account name test-account-0 is taken'],
    ['EVM address', ['--name', 'alice', '--evm-address'], 'is registered for 1.2.1024'],
  ])('error: a taken %s is told before any work', async (_title, words, message) => {
    const { url, description } = await startNode({ registrationDifficulty: 64 });
    const [account] = description.accounts;
    const address = words.includes('--evm-address') && account ? [toPrefixedHex(account.evmAddress)] : [];
    const { status, out, errors } = await register(['--url', url, ...words, ...address]);
    expect([status, out]).toEqual([1, '']);
    expect(errors).toMatch(/^ledgerd: cannot register: the node refuses: [^\n]*\n$/);
    expect(errors).toContain(message);
  });

  test.each([
    ['printed', []],
    ['in its file', ['--seed-file']],
  ])(
    'error: a refused solution has status 1 and the node’s message, and the seed is %s',
    async (_title, flag) => {
      const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'somebody was faster' } };
      const url = await startServer((body) =>
        body.includes('requestRegistrationTask') ? resultOf(task('0x4')) : [200, JSON.stringify(refusal)],
      );
      const path = join(folder, 'seed');
      const { status, out, errors } = await register([
        ...['--url', url, '--name', 'alice'],
        ...flag,
        ...(flag.length > 0 ? [path] : []),
      ]);
      expect(status).toBe(1);
      expect(errors).toMatch(/: the node refuses: somebody was faster; the seed belongs to no account\n$/);
      if (flag.length === 0) expect(out).toMatch(/^Seed {11}0x[0-9a-f]{64} {2}\(secret[^\n]*\n$/);
      else
        expect([out, readFileSync(path, 'utf8')]).toEqual(['', expect.stringMatching(/^0x[0-9a-f]{64}\n$/)]);
    },
  );

  test('error: a seed file is not overwritten', async () => {
    const path = join(folder, 'old.seed');
    writeFileSync(path, 'old');
    const { status, errors } = await register([
      '--url',
      'http://127.0.0.1:1',
      '--name',
      'alice',
      '--seed-file',
      path,
    ]);
    expect(status).toBe(1);
    expect(errors).toBe(
      `ledgerd: cannot register: the seed file ${path} exists and may contain a key: name another\n`,
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  test('error: an unwritable seed file fails before any registration', async () => {
    const { url, ledger } = await startNode({ registrationDifficulty: 0 });
    const path = join(folder, 'missing', 'seed');
    const { status, out, errors } = await register(['--url', url, '--name', 'alice', '--seed-file', path]);
    expect([status, out]).toEqual([1, '']);
    expect(errors).toContain(`the seed file ${path} cannot be written: ENOENT`);
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('error: no node', async () => {
    const url = await startServer(() => [200, '']);
    await new Promise((resolve) => server?.close(resolve));
    const { status, out, errors } = await register(['--url', url, '--name', 'alice']);
    expect([status, out]).toEqual([1, '']);
    expect(errors).toMatch(/^ledgerd: cannot register: cannot reach the node at [^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  test.each<[string, [number, string], string]>([
    ['HTTP 404', [404, 'not here'], 'it responds with HTTP 404: not here'],
    ['no JSON', [200, '<html>'], 'its response is no JSON-RPC 2.0'],
    [
      'a method that does not exist',
      [200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}'],
      'it does not know ledger_requestRegistrationTask',
    ],
    ['no task', resultOf({}), 'its response to ledger_requestRegistrationTask is not that of a ledgerd'],
    [
      'a block hash of another kind',
      resultOf({ ...task('0x4'), blockId: `0x${'f'.repeat(64)}` }),
      'its response is no registration task',
    ],
  ])('error: %s is no ledgerd', async (_title, response, message) => {
    const url = await startServer(() => response);
    const { status, out, errors } = await register(['--url', url, '--name', 'alice']);
    expect([status, out]).toEqual([1, '']);
    expect(errors).toBe(
      `ledgerd: cannot register: what responds at ${url}/ is no ledgerd that registers: ${message}\n`,
    );
  });

  test('error: a response that gets lost leaves the outcome open', async () => {
    const url = await startServer((body) =>
      body.includes('requestRegistrationTask') ? resultOf(task('0x0')) : [500, ''],
    );
    const { status, out, errors } = await register(['--url', url, '--name', 'alice']);
    expect(status).toBe(1);
    expect(out).toMatch(/^Seed {11}0x[0-9a-f]{64} /);
    expect(errors).toContain('it responds with HTTP 500: ; the account may be registered nevertheless\n');
  });

  test('error: it is interrupted while it searches', async () => {
    const { url, ledger } = await startNode({ registrationDifficulty: 64 });
    let stop: () => void = () => undefined;
    const stopRequested = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const { written, environment } = recorder(() => stopRequested);
    const printing: Environment = {
      ...environment,
      printError: (text) => {
        environment.printError(text);
        stop();
      },
    };
    expect(await main(['register', '--url', url, '--name', 'alice'], printing)).toBe(1);
    expect(written.errors).toMatch(/^solving a task of 64 bits.*\nledgerd: cannot register: interrupted\n$/);
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('error: it is interrupted while the node does not respond', async () => {
    let stop: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const url = await startServer(() => {
      stop();
      return undefined;
    });
    expect(await register(['--url', url, '--name', 'alice'], asked)).toEqual({
      status: 1,
      out: '',
      errors: 'ledgerd: cannot register: interrupted\n',
    });
  });
});
