import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../free-ports.js';
import { type BlockObject, errorOf } from '../json-rpc.ts';
import { type Program, runProgram, startProgram, startQuietProgram } from '../program.ts';

let folder = '';
let running: Program[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledgerd-test-'));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((program) => program.stop()));
  await rm(folder, { recursive: true });
});

async function start(...words: string[]): Promise<Program> {
  const program = await startProgram(...words);
  running.push(program);
  return program;
}

test('default: help and version', async () => {
  const help = await runProgram('--help');
  expect(help).toMatchObject({ status: 0, errors: '' });
  for (const flag of [
    '--port',
    '--accounts',
    '--balance',
    '--block-time',
    '--no-mining',
    '--data-dir',
    '--network',
  ]) {
    expect(help.output).toContain(flag);
  }
  expect(await runProgram('--version')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/\d+\.\d+\.\d+/),
  });
});

test('error: a command line that cannot be followed ends with status 2 and one line', async () => {
  const lines: readonly (readonly [string, ...string[]])[] = [
    ['--nonsense'],
    ['start', '--port'],
    ['start', '--port', 'http'],
    ['start', '--port', '65536'],
    ['start', '--port', '-1'],
    ['start', '--accounts', '0'],
    ['start', '--accounts', '1e3'],
    ['start', '--balance', 'much'],
    ['start', '--balance', '9223372036854775808'],
    ['start', '--block-time', '0'],
    ['start', '--network', 'moon'],
    ['start', '--hardfork', 'moon'],
    ['start', '--plugin', 'moon'],
    ['start', '--seed', ''],
    ['start', 'surplus'],
    ['start', '--host', '0.0.0.0'],
    ['start', '--data-dir', folder, '--accounts', '3'],
    ['start', '--block-interval', '3'],
    ['start', '--config', join(folder, 'missing')],
    ['config', '--port', 'http'],
    ['init'],
  ];
  const runs = await Promise.all(lines.map((line) => runProgram(...line)));
  for (const [index, { status, output, errors }] of runs.entries()) {
    expect([lines[index], status, output]).toEqual([lines[index], 2, '']);
    expect(errors).toMatch(/^[^\n]+\n$/);
  }
});

test('default: the banner', async () => {
  const program = await start('--accounts', '2');
  await program.printed(/^Native chain +[0-9a-f]{64}$/m);
  await program.printed(/^\(1\) .*1\.2\.1025.*0x0{36}0401/m);
  const [first] = await program.call<{ privkey: string }[]>('personal_listRawAccounts');
  expect(program.output()).toContain(first?.privkey);
  expect(program.errors()).toBe('');
  await program.call('evm_mine');
  await program.printed(/\b1\b.*0x0{31}1/);
});

test('behavior: the process stops on request', async () => {
  const program = await startProgram();
  expect(await program.stop()).toBe(0);
  await expect(fetch(program.url)).rejects.toThrow();
});

test('args: --quiet', async () => {
  const program = await startQuietProgram(await freePort());
  running.push(program);
  await program.call('evm_mine');
  await program.response('no_such_method');
  expect([program.output(), program.errors()]).toEqual(['', '']);
});

test('args: --port of another program', async () => {
  const program = await start();
  const { status, output, errors } = await runProgram('start', '--port', new URL(program.url).port);
  expect([status, output]).toEqual([1, '']);
  expect(errors).toMatch(/^[^\n]*port is in use[^\n]*\n$/);
});

test('args: --test --data-dir preserves the chain across a restart', async () => {
  const data = join(folder, 'chain');
  const first = await startProgram('--test', '--data-dir', data);
  const [from, to] = await first.call<string[]>('eth_accounts');
  const hash = await first.call<string>('eth_sendTransaction', { from, to, value: '0x7' });
  const created = await first.call<string>('personal_newAccount', 'kept');
  const facts = async (program: Program) => [
    await program.call('eth_getBlockByNumber', 'latest', true),
    await program.call('eth_getBlockByNumber', 'earliest', true),
    await program.call('eth_getTransactionReceipt', hash),
    await program.call('eth_getBalance', to),
    await program.call('eth_getTransactionCount', from),
    await program.call('eth_accounts'),
  ];
  const before = await facts(first);
  expect(await first.stop()).toBe(0);
  const second = await start('--test', '--data-dir', data);
  expect(await facts(second)).toEqual(before);
  expect(await second.call('personal_unlockAccount', created, 'kept')).toBe(true);
  await second.call('eth_sendTransaction', { from, to, value: '0x7' });
  expect(await second.call('eth_blockNumber')).not.toBe((before[0] as BlockObject).number);
});

test('error: a data folder that is in use, of another chain, or no folder', async () => {
  const data = join(folder, 'chain');
  const program = await startProgram('--test', '--data-dir', data);
  expect(await runProgram('start', '--test', '--port', '0', '--data-dir', data)).toMatchObject({
    status: 4,
    output: '',
  });
  expect(await program.call('eth_blockNumber')).toBe('0x0');
  await program.stop();
  for (const flags of [
    ['--network', 'main'],
    ['--seed', 'another'],
  ]) {
    const { status, errors } = await runProgram(
      'start',
      '--test',
      '--port',
      '0',
      '--data-dir',
      data,
      ...flags,
    );
    expect([flags, status]).toEqual([flags, 3]);
    expect(errors).toMatch(/^[^\n]+\n$/);
  }
  const file = join(folder, 'file');
  await writeFile(file, 'something else');
  expect(await runProgram('start', '--test', '--port', '0', '--data-dir', file)).toMatchObject({
    status: 3,
    output: '',
  });
});

test('behavior: acknowledged operations survive a process exit at any time', async () => {
  const data = join(folder, 'chain');
  const first = await startProgram('--test', '--data-dir', data);
  const [from, to] = await first.call<string[]>('eth_accounts');
  const answered: string[] = [];
  // Each goes on until the process is gone, so that it is killed in the middle of their transactions.
  const sending = Array.from({ length: 30 }, async () => {
    for (;;) {
      answered.push(await first.call<string>('eth_sendTransaction', { from, to, value: '0x1' }));
      if (answered.length === 20) process.kill(first.processId, 'SIGKILL');
    }
  });
  await Promise.allSettled(sending);
  const second = await start('--test', '--data-dir', data);
  for (const hash of answered) {
    expect(await second.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  }
  const received = BigInt(await second.call<string>('eth_getBalance', to)) - 10n ** 17n;
  expect(await second.call('eth_getTransactionCount', from)).toBe(`0x${received.toString(16)}`);
  expect(Number(await second.call('eth_blockNumber'))).toBe(Number(received));
});

test('args: --block-time', async () => {
  const program = await start('--block-time', '1');
  const [from, to] = await program.call<string[]>('eth_accounts');
  const hash = await program.call<string>('eth_sendTransaction', { from, to, value: '0x1' });
  expect(hash).toMatch(/^0x0{24}/);
  await expect.poll(() => program.call('eth_getTransactionReceipt', hash)).not.toBeNull();
  const head = Number(await program.call('eth_blockNumber'));
  await expect.poll(async () => Number(await program.call('eth_blockNumber'))).toBeGreaterThan(head);
});

test('args: --no-mining', async () => {
  const program = await start('--no-mining');
  expect(await program.call('eth_mining')).toBe(false);
  const [from, to] = await program.call<string[]>('eth_accounts');
  const hash = await program.call('eth_sendTransaction', { from, to, value: '0x1' });
  expect(await program.call('eth_getTransactionReceipt', hash)).toBeNull();
  await program.call('evm_mine');
  expect(await program.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
});

test('args: --accounts, --balance, --seed', async () => {
  const program = await start('--accounts', '3', '--balance', '1_000_000', '--seed', 'another');
  const accounts = await program.call<string[]>('eth_accounts');
  expect(accounts).toHaveLength(3);
  expect(await program.call('eth_getBalance', accounts[2])).toBe('0xf4240');
  const standard = await start();
  const key = async (of: Program) =>
    (await of.call<{ privkey: string }[]>('personal_listRawAccounts'))[0]?.privkey;
  expect(await key(program)).not.toBe(await key(standard));
});

test('args: --network', async () => {
  for (const [name, chainId, networkId] of [
    ['main', 222, '1'],
    ['test', 223, '2'],
    ['dev', 224, '3'],
    ['default', 255, '255'],
  ] as const) {
    const program = await start('--network', name);
    expect([await program.call('eth_chainId'), await program.call('net_version')]).toEqual([
      chainId,
      networkId,
    ]);
  }
});

test('args: --no-history', async () => {
  const program = await start('--no-history');
  const [from] = await program.call<string[]>('eth_accounts');
  const error = errorOf(await program.response('eth_getTransactionCount', from));
  expect(error).toMatchObject({ code: -32000, message: expect.stringContaining('--plugin=history') });
});

test('args: --max-body, --max-batch', async () => {
  const program = await start('--max-body', '4096', '--max-batch', '2');
  const large = await fetch(program.url, { method: 'POST', body: ' '.repeat(5_000) });
  expect(large.status).toBe(413);
  const member = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
  const batch = await fetch(program.url, { method: 'POST', body: JSON.stringify([member, member, member]) });
  expect([await batch.json()].flat()).toMatchObject([{ error: { code: -32005 } }]);
});
