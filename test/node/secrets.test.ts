import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatWif, hexToBytes, toSeed } from '../../src/protocol/index.ts';
import { type Program, runProgram, startProgram } from '../program.ts';

let folder = '';
let running: Program[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerd-secrets-'));
});

afterEach(async () => {
  // Only a test that fails leaves one behind.
  await Promise.all(running.map((program) => program.stop()));
  running = [];
  await rm(folder, { recursive: true });
});

async function start(...words: readonly string[]): Promise<Program> {
  const program = await startProgram(...words);
  running.push(program);
  return program;
}

/** Stops a program and expects that it ends well. */
async function stop(program: Program): Promise<void> {
  running = running.filter((other) => other !== program);
  expect(await program.stop()).toBe(0);
}

/** A file in which a key lies. */
interface KeyFile {
  readonly path: string;
  readonly text: string;
  readonly seed: string;
}

async function keyFiles(dataDir: string): Promise<KeyFile[]> {
  const keys = join(dataDir, 'keys');
  const paths = (await readdir(keys)).map((name) => join(keys, name));
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      return { path, text, seed: JSON.parse(text).seed as string };
    }),
  );
}

/** The forms in which a key could slip out. */
function formsOf(seed: string): string[] {
  const bytes = hexToBytes(seed);
  return [seed, Buffer.from(bytes).toString('base64'), formatWif(toSeed(bytes)), [...bytes].join(',')];
}

/** Expects that a text holds no key, nor the half of one. */
function expectNoKey(text: string, files: readonly KeyFile[]): void {
  const plain = text.toLowerCase();
  for (const form of files.flatMap(({ seed }) => formsOf(seed))) {
    const half = form.slice(0, form.length / 2).toLowerCase();
    expect(plain.includes(half), `a key, or half of one: ${half.slice(0, 4)}…`).toBe(false);
  }
}

/** Calls that fail in many ways, and some that do not. */
const CALLS: readonly (readonly [string, ...unknown[]])[] = [
  ['eth_blockNumber'],
  ['eth_coinbase'],
  ['eth_nothing', 'x'],
  ['eth_sendRawTransaction', '0x00'],
  ['eth_getBalance', 7],
  ['eth_call', { to: `0x${'0'.repeat(39)}1`, gas: '0xffffffffffff' }],
  ['eth_sign', `0x${'0'.repeat(37)}3ff`, '0x00'],
  ['personal_listRawAccounts'],
  ['personal_unlockAccount', `0x${'0'.repeat(37)}3ff`, ''],
  ['ledger_checkRegistration', 'alice', null],
  ['ledger_requestRegistrationTask'],
  ['ledger_submitRegistrationSolution', 'alice', 'x', 'y', null, '0x0', '0x0'],
  ['rpc_discover'],
];

test('behavior: a node prints and answers none of its keys', async () => {
  const dataDir = join(folder, 'node');
  const init = await runProgram('init', '--data-dir', dataDir);
  expect(init).toMatchObject({ status: 0, errors: '' });
  const files = await keyFiles(dataDir);
  expect(files).toHaveLength(3);
  const config = await runProgram('config', '--data-dir', dataDir);

  for (const format of ['text', 'json']) {
    const words = ['--data-dir', dataDir, '--log-format', format, '--log-level', 'debug'];
    const node = await start(...words, '--block-interval', '0.1', '--min-free-space', '0');
    const answers = await Promise.all(
      CALLS.map(([method, ...parameters]) => node.response(method, ...parameters)),
    );
    const pages = await Promise.all(
      ['/health', '/metrics', '/openrpc.json'].map(async (page) =>
        (await fetch(new URL(page, node.url))).text(),
      ),
    );
    await node.printed(/block [1-9]/);
    await stop(node);
    expectNoKey(JSON.stringify(answers) + pages.join(''), files);
    expectNoKey(node.output() + node.errors(), files);
    expect(node.output()).toContain('1.2.1023');
  }
  expectNoKey(init.output + init.errors + config.output + config.errors, files);
});

test('behavior: a key file that cannot be read is complained of without its key', async () => {
  const dataDir = join(folder, 'node');
  await runProgram('init', '--data-dir', dataDir);
  const files = await keyFiles(dataDir);
  const broken: readonly ((text: string, seed: string) => string)[] = [
    (text) => text.replace('}', ''),
    (text) => text.replace('"seed"', '"sead"'),
    (text, seed) => text.replace(seed, `${seed.slice(0, 62)}zz`),
    (text, seed) => text.replace(seed, seed.slice(0, 60)),
    (text, seed) => text.replace(`"${seed}"`, seed),
    (text) => text.replace(/"publicKey": ?"ECHO./, '"publicKey":"ECHOx'),
    (text) => text.replace('1.2.', '1.3.'),
    (_text, seed) => seed,
  ];
  for (const breakText of broken) {
    for (const { path, text, seed } of files) await writeFile(path, breakText(text, seed));
    const { status, output, errors } = await runProgram('start', '--port', '0', '--data-dir', dataDir);
    expect([breakText.toString(), status, output]).toEqual([breakText.toString(), 3, '']);
    expect(errors).toMatch(/^ledgerd: cannot start: [^\n]+\n$/);
    expectNoKey(errors, files);
  }
});

test('behavior: the JSON log of test mode contains neither keys nor passphrases', async () => {
  const program = await start('--log-format', 'json', '--seed', 'a seed kept to itself');
  const [account = ''] = await program.call<string[]>('eth_accounts');
  const created = await program.call<string>('personal_newAccount', 'a passphrase');
  await program.response('personal_unlockAccount', created, 'not a passphrase');
  await program.response('personal_unlockAccount', 'a passphrase', created);
  await program.response(
    'personal_sendTransaction',
    { from: created, to: account, value: '0x1' },
    'no passphrase',
  );
  await program.response('personal_newAccount', ['a passphrase']);
  const raw = await program.call<{ privkey: string }[]>('personal_listRawAccounts');
  await stop(program);
  const log = program.output() + program.errors();
  // A wrong passphrase alone is answered by false.
  expect(log.match(/"event":"failedCall"/g)).toHaveLength(3);
  expect(log).not.toMatch(/passphrase"|a passphrase|kept to itself/);
  expect(raw.length).toBeGreaterThan(10);
  for (const { privkey } of raw) expect(log).not.toContain(privkey.replace(/^0x/, '').slice(0, 32));
});
