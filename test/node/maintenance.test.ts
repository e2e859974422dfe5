import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type JobControl, rollBack, verifyChain } from '../../src/node/index.ts';
import { openStoreForReading, StoreError } from '../../src/store/index.ts';
import { errorOf, post } from '../json-rpc.ts';
import { killedBeforeStep } from '../killed-program.ts';
import { PROGRAM, type Program, runProgram, startProgram } from '../program.ts';

/** Milliseconds between two looks at what a program that prints nothing has done. */
const POLL_INTERVAL_MS = 20;

/** A job without a display that nobody stops. */
const JOB: JobControl = { stop: new AbortController().signal, onProgress: () => undefined };

let folder = '';
let running: Program | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-maintenance-'));
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

/** Runs a command that has to succeed, and gives what it printed. */
async function succeeding(...words: readonly string[]): Promise<string> {
  const { status, output, errors } = await runProgram(...words);
  // A program that sets itself up first says so there.
  expect(status, errors).toBe(0);
  return output;
}

async function headOf(dataDir: string): Promise<number> {
  return JSON.parse(await succeeding('info', '--json', '--data-dir', dataDir)).head.number;
}

test('default: commands that other processes may run on the data folder of a running producer', async () => {
  const [dataDir, backup, archive] = [join(folder, 'node'), join(folder, 'backup'), join(folder, 'archive')];
  await succeeding('init', '--data-dir', dataDir);
  running = await startProgram('--data-dir', dataDir, '--block-interval', '0.1');
  await running.printed(/"event":"block","number":5,/);
  const info = await succeeding('info', '--data-dir', dataDir);
  expect(info).toContain(`${dataDir} (in use)\n`);
  // It was started with another interval than the genesis gives.
  expect(info).toMatch(
    /^Blocks +every 3 s, or the --block-interval of a node; the last \d+ took [0-9.]+ s$/m,
  );
  expect(await succeeding('backup', '--data-dir', dataDir, '--to', backup)).toContain('left out because');
  await succeeding('export', '--data-dir', dataDir, archive);
  for (const words of [['verify'], ['verify', '--quick'], ['import', archive], ['rollback', '--to', '1']]) {
    const { status, output, errors } = await runProgram(...words, '--data-dir', dataDir);
    expect({ words, status, output }).toEqual({ words, status: 4, output: '' });
    expect(errors).toContain(`the data folder ${dataDir} is in use by another running ledgerd`);
  }
  const { number } = await running.call<{ number: string }>('eth_getBlockByNumber', 'latest', false);
  await running.printed(new RegExp(`"event":"block","number":${Number(number) + 1},`));
  await running.stop();
  running = undefined;
  await succeeding('verify', '--data-dir', dataDir);
  await succeeding('verify', '--data-dir', backup);
  const head = await headOf(backup);
  expect(head).toBeGreaterThanOrEqual(5);
  // A node without keys starts on the backup, and one with the keys goes on with it when its operator answers for that.
  running = await startProgram('--data-dir', backup);
  expect(await running.call('eth_mining')).toBe(false);
  await running.stop();
  running = await startProgram(
    '--data-dir',
    backup,
    '--keys',
    join(dataDir, 'keys'),
    '--block-interval',
    '0.1',
    '--sign-again-after',
    String(head),
  );
  await running.printed(new RegExp(`"event":"block","number":${head + 2},`));
  const imported = join(folder, 'imported');
  await succeeding('import', '--data-dir', imported, archive);
  await succeeding('verify', '--data-dir', imported);
  expect(readFileSync(join(imported, 'genesis.json'))).toEqual(readFileSync(join(dataDir, 'genesis.json')));
});

test('behavior: a chain started without history gains it by following the error message', async () => {
  const [dataDir, copy, archive] = [join(folder, 'node'), join(folder, 'copy'), join(folder, 'archive')];
  const registrar = `0x${(1_022).toString(16).padStart(40, '0')}`;
  const start = (path: string) =>
    startProgram('--data-dir', path, '--block-interval', '0.1', '--registration-difficulty', '0');
  await succeeding('init', '--no-history', '--data-dir', dataDir);
  running = await start(dataDir);
  await succeeding('register', '--url', running.url, '--name', 'alice');
  const { message } = errorOf(await running.response('eth_getTransactionCount', registrar));
  expect(message).toContain('"ledgerd export" and "ledgerd import --history"');
  await running.stop();
  await succeeding('export', '--data-dir', dataDir, archive);
  await succeeding('import', '--history', '--data-dir', copy, archive);
  cpSync(join(dataDir, 'keys'), join(copy, 'keys'), { recursive: true });
  running = await start(copy);
  expect(await running.call('eth_getTransactionCount', registrar)).toBe('0x1');
  expect(await running.call('eth_mining')).toBe(true);
});

test('behavior: SIGINT ends an import that waits for its archive, after a complete block', async () => {
  const target = join(folder, 'target');
  const child = spawn(process.execPath, [PROGRAM, 'import', '--data-dir', target, '-']);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // All but the end of the end mark: every block is there, and the program waits for more.
  const { length } = readFileSync(chainArchive);
  createReadStream(chainArchive, { end: length - 2 }).pipe(child.stdin, { end: false });
  while ((await headAtBest(target)) < BLOCKS) await delay(POLL_INTERVAL_MS);
  child.kill('SIGINT');
  const [status] = await once(child, 'close');
  expect({ status, errors }).toEqual({
    status: 1,
    errors: `ledgerd: cannot import: interrupted after block ${BLOCKS}: the same command continues after it\n`,
  });
  await succeeding('verify', '--data-dir', target);
});

/** The head of a chain that is being made; -1 before there is one. */
async function headAtBest(dataDir: string): Promise<number> {
  try {
    const store = openStoreForReading(join(dataDir, 'ledger'));
    const head = store.head() ?? -1;
    await store.close();
    return head;
  } catch (error) {
    if (error instanceof StoreError) return -1;
    throw error;
  }
}

/** Blocks of the chain that is rolled back. */
const BLOCKS = 40;

let above = '';
let chain = '';
let chainArchive = '';

beforeAll(async () => {
  above = mkdtempSync(join(tmpdir(), 'ledgerd-rollback-'));
  chain = join(above, 'chain');
  chainArchive = join(above, 'archive');
  const program = await startProgram('--test', '--data-dir', chain);
  const calls = Array.from({ length: BLOCKS }, (_, id) => ({ jsonrpc: '2.0', id, method: 'evm_mine' }));
  await post(program.url, calls);
  await program.stop();
  await succeeding('export', '--data-dir', chain, chainArchive);
});

afterAll(() => rmSync(above, { recursive: true }));

/** Runs a rollback that is killed before its n-th step; gives whether it was. */
async function killedRollback(dataDir: string, step: number): Promise<boolean> {
  const words = ['rollback', '--data-dir', dataDir, '--to', String(BLOCKS - 10)];
  const status = await killedBeforeStep(words, dataDir, step);
  if (status !== undefined) expect(status).toBe(0);
  return status === undefined;
}

test('behavior: a rollback killed at any step leaves a usable chain', async () => {
  const heads: number[] = [];
  for (let step = 1; ; step += 1) {
    const dataDir = join(folder, `chain-${step}`);
    cpSync(chain, dataDir, { recursive: true });
    const isKilled = await killedRollback(dataDir, step);
    const { head } = await verifyChain(dataDir, JOB);
    heads.push(head);
    // The next one clears away what this one left behind.
    await rollBack({ dataDir, to: BLOCKS - 20, discard: true }, JOB);
    expect(await verifyChain(dataDir, JOB)).toMatchObject({ head: BLOCKS - 20 });
    expect(readdirSync(dataDir)).not.toContain('ledger.rollback');
    if (!isKilled) break;
  }
  // Some were killed before the one step that counts, and some after it.
  expect(heads.filter((head) => head === BLOCKS).length).toBeGreaterThan(2);
  expect(heads.filter((head) => head === BLOCKS - 10).length).toBeGreaterThan(2);
  expect(heads).toEqual([...heads].sort((left, right) => right - left));
});
