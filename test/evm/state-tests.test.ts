import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Tests of the runner of the official state tests, on small test files. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNNER = join(ROOT, 'scripts/evm/state-tests.js');

const SENDER = `0x${'aa'.repeat(20)}`;
const CONTRACT = `0x${'cc'.repeat(20)}`;
const COINBASE = `0x${'c0'.repeat(20)}`;
/** Keccak-256 of the RLP of an empty list. */
const NO_LOGS = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** Stores 1 in the first slot. */
const CODE = '0x60015f55';
/** Gas: 21,000, two pushes, and SSTORE of a value to an empty slot. */
const GAS_USED = 21_000 + 3 + 2 + 22_100;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'state-tests-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const quantity = (value: number) => `0x${value.toString(16)}`;

/** A call of CONTRACT at a price of 11, of which 10 is the base fee. */
function stateTest(slot: string, post: object = {}) {
  const account = { nonce: '0x00', balance: quantity(10_000_000), code: '0x', storage: {} };
  const contract = { ...account, nonce: '0x01', balance: '0x00', code: CODE };
  const state = {
    [SENDER]: { ...account, nonce: '0x01', balance: quantity(10_000_000 - 11 * GAS_USED) },
    [CONTRACT]: { ...contract, storage: { '0x00': slot } },
    [COINBASE]: { ...account, balance: quantity(GAS_USED) },
  };
  const indexes = { data: 0, gas: 0, value: 0 };
  return {
    env: {
      currentCoinbase: COINBASE,
      currentGasLimit: '0x1c9c380',
      currentNumber: '0x01',
      currentTimestamp: '0x03e8',
      currentRandom: '0x00',
      currentDifficulty: '0x00',
      currentBaseFee: '0x0a',
    },
    pre: { [SENDER]: account, [CONTRACT]: contract },
    transaction: {
      sender: SENDER,
      to: CONTRACT,
      nonce: '0x00',
      gasPrice: '0x0b',
      data: ['0x'],
      gasLimit: [quantity(100_000)],
      value: ['0x00'],
    },
    post: { Osaka: [{ indexes, logs: NO_LOGS, state, ...post }] },
    config: { chainid: '0x01' },
  };
}

function run(name: string, tests: object) {
  return runPath(write(name, JSON.stringify(tests)));
}

function write(name: string, text: string): string {
  const path = join(folder, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function runPath(path: string) {
  const { status, stdout } = spawnSync(process.execPath, [RUNNER, path], { encoding: 'utf8' });
  return { status, stdout, last: stdout.trimEnd().split('\n').at(-1) };
}

describe('the runner of the state tests', () => {
  test('default', () => {
    expect(run('right', { right: stateTest('0x01') })).toMatchObject({
      status: 0,
      last: '1 passed, 0 failed',
    });
  });

  test('error: a slot that differs', () => {
    const { status, stdout, last } = run('wrong', { wrong: stateTest('0x02'), right: stateTest('0x01') });
    expect({ status, last }).toEqual({ status: 1, last: '1 passed, 1 failed' });
    const word = (digit: number) => digit.toString().padStart(64, '0');
    expect(stdout).toContain(`${CONTRACT}: slot 0x${word(0)} ${word(1)}, expected ${word(2)}`);
    expect(stdout).toContain(`the transaction: success, gas ${GAS_USED} of 100000, 0 logs`);
    expect(stdout).toMatch(/the last of 4 steps:\n.*PUSH1.*\n.*PUSH0.*\n.*SSTORE.*\n.*STOP/);
  });

  test('error: a transaction that should be rejected and is not', () => {
    const { stdout, last } = run('accepted', {
      accepted: stateTest('0x01', { expectException: 'TransactionException.NONCE_IS_MAX' }),
    });
    expect(stdout).toContain('is not rejected, expected TransactionException.NONCE_IS_MAX');
    expect(last).toBe('0 passed, 1 failed');
  });

  test('behavior: a rejected transaction does not change the state', () => {
    const rejected = stateTest('0x01', { expectException: 'TransactionException.INTRINSIC_GAS_TOO_LOW' });
    rejected.transaction.gasLimit = [quantity(20_999)];
    const [post] = rejected.post.Osaka;
    if (post !== undefined) post.state = rejected.pre as typeof post.state;
    expect(run('rejected', { rejected })).toMatchObject({ status: 0, last: '1 passed, 0 failed' });
  });

  test('error: files that are no tests are named, and the others are run', () => {
    const broken = write('mixed/a-broken', '{"cut": ');
    const other = write('mixed/b-other', '{"name": "an index of files"}');
    write('mixed/c-right', JSON.stringify({ right: stateTest('0x01') }));
    const { status, stdout, last } = runPath(join(folder, 'mixed'));
    expect({ status, last }).toEqual({ status: 1, last: '1 passed, 2 failed' });
    expect(stdout).toContain(`FAILED ${broken}\n    the file cannot be read: SyntaxError: `);
    expect(stdout).toContain(`FAILED ${other}\n    the file cannot be read: TypeError: `);
  });

  test('error: a folder without cases', () => {
    expect(run('empty', {})).toMatchObject({ status: 1, last: '0 passed, 0 failed' });
  });
});
