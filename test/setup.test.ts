import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Parts of a checkout that are not copied: large ones, and those that other tests replace meanwhile. */
const LEFT_OUT = /^build\/(state-tests|test-contracts|nats|node)$|node_modules$|\.cache(\.\d+)?$/;
/** Greater than any process id of this or another machine. */
const NO_PROCESS = 2 ** 30;

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerd-test-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs a program of ES module text in the checkout. */
function run(program: string, ...parameters: string[]) {
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program, ...parameters], {
    cwd: ROOT,
    encoding: 'utf8',
  });
}

const LOCKING = `
  import { appendFileSync } from 'node:fs';
  import { withLock } from './scripts/lock.js';
  const [lock, journal] = process.argv.slice(1);
  await withLock(lock, (owner) => console.log('waits for ' + owner), async () => {
    appendFileSync(journal, 'in ');
    for (let turns = 0; turns < 1_000; turns += 1) await new Promise(setImmediate);
    appendFileSync(journal, 'out ');
  });
`;

test('default: a checkout that is up to date is left alone, silently', () => {
  const setup = () => spawnSync(process.execPath, ['scripts/setup.js'], { cwd: ROOT, encoding: 'utf8' });
  setup();
  expect(setup()).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

describe('the module of mcl', () => {
  const TAKING = `
    import { hasMcl, takeMcl } from './scripts/mcl.js';
    const [root] = process.argv.slice(1);
    try {
      takeMcl(root);
    } catch (error) {
      console.log(error.message);
    }
    console.log(hasMcl(root));
  `;
  const script = 'node_modules/mcl-wasm/dist/mcl_c.js';

  /** Creates a checkout with this script of the package `mcl-wasm`. */
  async function checkout(text: string): Promise<void> {
    await mkdir(join(folder, dirname(script)), { recursive: true });
    await writeFile(join(folder, 'node_modules/mcl-wasm/package.json'), '{ "version": "9.8.7" }');
    await writeFile(join(folder, script), text);
  }

  test('default: it is taken out of the package', async () => {
    await checkout(await readFile(join(ROOT, script), 'utf8'));
    expect(run(TAKING, folder)).toMatchObject({ stdout: 'true\n', stderr: '' });
    expect(await readdir(join(folder, 'build'))).toEqual(['mcl.wasm']);
  });

  test('error: a module with another byte', async () => {
    const text = await readFile(join(ROOT, script), 'utf8');
    await checkout(text.replace("wasmBase64 = 'AGFzbQEAAAAB", "wasmBase64 = 'AGFzbQEAAAAC"));
    const { stdout } = run(TAKING, folder);
    expect(stdout).toMatch(
      /^the Wasm module of mcl-wasm 9\.8\.7 has the SHA-256 [0-9a-f]{64}, and .* expects /,
    );
    expect(stdout).toMatch(/\nfalse\n$/);
    expect(existsSync(join(folder, 'build'))).toBe(false);
  });

  test('error: a package without a module', async () => {
    await checkout('"use strict";');
    expect(run(TAKING, folder).stdout).toMatch(
      /^mcl-wasm 9\.8\.7 does not carry its Wasm module .*\nfalse\n$/,
    );
  });
});

/** Copies this checkout, which is built. */
function copyCheckout(): void {
  const parts = ['bin', 'data', 'src', 'scripts', 'explorer', 'dist', 'build', 'package.json'];
  for (const part of [...parts, 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
    const filter = (path: string): boolean => !LEFT_OUT.test(relative(ROOT, path));
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter });
  }
  for (const packages of ['node_modules', 'scripts/wasm/node_modules'])
    symlinkSync(join(ROOT, packages), join(folder, packages));
}

/** Sets the copied checkout up, and returns the reported lines. */
function setUpCopy(options = '{}'): string {
  const program = `
    import { setUp } from './scripts/setup.js';
    await setUp({ ...${options}, root: process.argv[1], report: (line) => console.log(line) });
  `;
  const { status, stdout, stderr } = run(program, folder);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('behavior: each step is printed before it runs', () => {
  copyCheckout();
  rmSync(join(folder, 'build/program.stamp'));
  expect(setUpCopy()).toMatch(/^set-up: making one file of the program\nmade build\/program in [\d.]+ s\n$/);
});

test('error: a start after a set-up that fails', () => {
  copyCheckout();
  writeFileSync(join(folder, 'package-lock.json'), 'no JSON');
  const start = spawnSync(process.execPath, ['bin/ledgerd.js', 'start', '--port', '0'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(start).toMatchObject({ status: 1, stdout: '' });
  expect(start.stderr).toMatch(/^set-up failed: .*JSON.*\nledgerd does not start: the set-up has failed\n$/);
});

test('behavior: a start leaves out the module of traces and the cached code', () => {
  copyCheckout();
  for (const path of ['evm-steps.wasm', 'code.stamp', 'unchanged.json'])
    rmSync(join(folder, 'build', path), { force: true });
  expect(setUpCopy('{ withLater: false }')).toBe('');
  // The next start must not take the checkout for complete.
  expect(existsSync(join(folder, 'build/unchanged.json'))).toBe(false);
});

/** Replaces the compiler of the copied checkout, which lacks the module of traces, by a program of these statements. */
async function replaceBuilder(statements: string): Promise<void> {
  await rename(join(folder, 'build/evm-steps.wasm'), join(folder, 'saved.wasm'));
  const program = `import { copyFileSync, existsSync, writeFileSync } from 'node:fs';\n${statements}`;
  await writeFile(join(folder, 'scripts/wasm/build.js'), program);
}

/** Starts a node of the copied checkout, traces instructions twice at once, calls meanwhile, and returns the output. */
function traceInCopy(): string {
  const program = `
    const { existsSync, writeFileSync } = require('node:fs');
    const { startTestNode } = require('./bin/library.js');
    startTestNode({ ethereum: true }).then(async ({ provider, stop }) => {
      const request = (method, ...params) => provider.request({ method, params });
      const trace = () => request('debug_traceCall', { data: '0x5f' }, 'latest', {})
        .then(({ structLogs }) => structLogs.map(({ op }) => op).join(), ({ message }) => message);
      const traces = [trace(), trace()];
      console.log((await request('debug_traceCall', { data: '0x5f' }, 'latest', { tracer: 'callTracer' })).type);
      console.log((await request('trace_callMany', [[{ data: '0x5f' }, ['trace']]]))[0].trace[0].type);
      writeFileSync('served', '');
      for (const text of await Promise.all(traces)) console.log(text);
      console.log(existsSync('builder') && require('node:fs').readFileSync('builder', 'utf8') === String(process.pid));
      await stop();
    });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('behavior: the node builds the missing module of steps once, and traces calls meanwhile', async () => {
  copyCheckout();
  await replaceBuilder(`
    while (!existsSync('served')) await new Promise((resolve) => setTimeout(resolve, 10));
    copyFileSync('saved.wasm', 'build/evm-steps.wasm');
    writeFileSync('builder', String(process.ppid), { flag: 'wx' });`);
  expect(traceInCopy()).toBe('CREATE\ncreate\nPUSH0,STOP\nPUSH0,STOP\ntrue\n');
});

test('error: a module of traces that cannot be built', async () => {
  copyCheckout();
  await replaceBuilder('process.exitCode = 1;');
  const text =
    'build/evm-steps.wasm, which traces of instructions need, cannot be built: run node scripts/setup.js';
  expect(traceInCopy()).toBe(`CREATE\ncreate\n${text}\n${text}\nfalse\n`);
});

test('behavior: a lock is given back', async () => {
  const lock = join(folder, 'below', 'lock');
  expect(run(LOCKING, lock, join(folder, 'journal'))).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(await readdir(join(folder, 'below'))).toEqual([]);
});

test('behavior: processes acquire the lock one at a time', async () => {
  const [lock, journal] = [join(folder, 'lock'), join(folder, 'journal')];
  const program = `
    import { spawn } from 'node:child_process';
    const words = ['--input-type=module', '--eval', ...process.argv.slice(1)];
    for (let count = 0; count < 4; count += 1) spawn(process.execPath, words, { stdio: 'inherit' });
  `;
  expect(run(program, LOCKING, lock, journal).status).toBe(0);
  expect(await readFile(journal, 'utf8')).toBe('in out '.repeat(4));
});

test('behavior: the lock of a process that ended is taken over', async () => {
  const [lock, journal] = [join(folder, 'lock'), join(folder, 'journal')];
  for (const owner of [String(NO_PROCESS), '', 'nobody']) {
    await writeFile(lock, owner);
    expect(run(LOCKING, lock, journal)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(lock)).toBe(false);
  }
});

test('error: work that fails gives the lock back too', async () => {
  const program = `
    import { withLock } from './scripts/lock.js';
    await withLock(process.argv[1], () => undefined, async () => { throw new Error('no luck'); });
  `;
  const { status, stderr } = run(program, join(folder, 'lock'));
  expect(status).toBe(1);
  expect(stderr).toContain('no luck');
  expect(await readdir(folder)).toEqual([]);
});

test('default: each failed test, and last the numbers of passed and failed ones', async () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'default: adds', status: 'failed', failureMessages: ['expected 2'] },
          { status: 'passed' },
        ],
      },
      { name: 'c.test.ts', status: 'failed', message: 'cannot load', assertionResults: [] },
    ],
  };
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  const counting = spawnSync(process.execPath, ['scripts/count-tests.js', join(folder, 'report.json')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(counting.stdout.split('\n')).toEqual([
    'FAILED b.test.ts: default: adds: expected 2',
    'FAILED c.test.ts: cannot load',
    '3 passed, 2 failed',
    '',
  ]);
});
