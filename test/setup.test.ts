import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
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

test('behavior: a lock is given back', async () => {
  const lock = join(folder, 'below', 'lock');
  expect(run(LOCKING, lock, join(folder, 'journal'))).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(await readdir(join(folder, 'below'))).toEqual([]);
});

test('behavior: processes take turns', async () => {
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

test('default: the line that the judge of a change reads', async () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
      { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
      { status: 'failed', assertionResults: [] },
    ],
  };
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  const counting = spawnSync(process.execPath, ['scripts/count-tests.js', join(folder, 'report.json')], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(counting.stdout).toBe('3 passed, 2 failed\n');
});
