import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Program, runProgram, startProgram } from '../program.ts';
import { request } from '../rpc-client.js';
import {
  type Compilation,
  codeOf,
  compileChatter,
  lineOf,
  SOURCE,
  TEXT,
  writeFoundry,
  writeHardhat,
  writeHardhat3,
} from './compiled-project.ts';

let compilation: Compilation;
let folder: string;
let program: Program | undefined;

beforeAll(async () => {
  compilation = await compileChatter();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-told-'));
});

afterEach(async () => {
  await program?.stop();
  program = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const FROM = '0x0000000000000000000000000000000000000400';
const GAS = '0x7a1200';

/** A node with a contract that uses the console, and a function that calls it. */
async function start(...words: readonly string[]) {
  const node = await startProgram(...words);
  program = node;
  const { abi, bytecode } = codeOf(compilation, 'Chatter');
  const send = (message: object) =>
    node.call<Hex>('eth_sendTransaction', { from: FROM, gas: GAS, ...message });
  const made = await send({ data: encodeDeployData({ abi, bytecode }) });
  const { contractAddress: to } = await node.call<{ contractAddress: Hex }>(
    'eth_getTransactionReceipt',
    made,
  );
  const data = (functionName: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args });
  return {
    node,
    to,
    send: (name: string, ...args: readonly unknown[]) => send({ to, data: data(name, ...args) }),
    ask: (method: string, name: string, ...args: readonly unknown[]) =>
      node.response(method, { from: FROM, to, gas: GAS, data: data(name, ...args) }),
    /** The lines since the last block that made nothing of this. */
    until: async (pattern: RegExp) => {
      await node.printed(pattern);
      return node.output();
    },
  };
}

/** Returns the tree of a call of Chatter in a text, without its numbers. */
const treeIn = (text: string): string =>
  (/^ *\[\d+\] Chatter\.pass.*\n(?: +\[.*\n)*/m.exec(text)?.[0] ?? '').replaceAll(/\d+/g, '0');

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('console.log', () => {
  test('behavior: a line of included operations once, of calls, and of the first run of an estimate', async () => {
    const { node, send, ask, until } = await start();
    await send('pass', 4n, 'a');
    const output = await until(/console\.log take 4, 100%\n/);
    expect(output).toContain(`console.log passing on\nconsole.log ${FROM} true\nconsole.log take 4, 100%\n`);
    expect(count(node.output(), /take 4/g)).toBe(1);
    await ask('eth_call', 'pass', 5n, 'b');
    await until(/take 5, 100%\n/);
    await ask('eth_estimateGas', 'pass', 2n, 'c');
    await until(/take 2, 100%\n/);
    await send('strange');
    expect(await until(/0xdeadbeef01\n/)).toContain('console.log 0xdeadbeef01\n');
    expect([count(node.output(), /take 5/g), count(node.output(), /take 2/g)]).toEqual([1, 1]);
  });

  test('behavior: the node logs the executions of its workers, once', async () => {
    const { node, ask, send, until } = await start('--workers', '1');
    for (;;) {
      const metrics = await (await fetch(`${node.url}/metrics`)).text();
      if (/^ledgerd_workers 1$/m.test(metrics)) break;
    }
    await ask('eth_call', 'pass', 5n, 'of a worker');
    await until(/take 5, 100%\n/);
    await ask('eth_call', 'pass', 9n, 'fails');
    expect(await until(/✗ reverted {3}0x\w{40} {3}call\n {2}0x/)).toContain('console.log take 9, 100%');
    await send('pass', 4n, 'tried, and then carried out');
    await until(/take 4, 100%\n/);
    await send('pass', 6n, 'the last');
    await until(/take 6, 100%\n/);
    expect([count(node.output(), /take 5/g), count(node.output(), /take 4/g)]).toEqual([1, 1]);
  });

  test('behavior: console lines of reverted frames, up to the bound', async () => {
    const { send, until, node } = await start();
    await send('pass', 9n, 'reverts');
    await until(/take 9, 100%\n/);
    await send('talk', 2_000n);
    const output = await until(/too long for one transaction\n/);
    expect(count(output, /console\.log again \d+\n/g)).toBeLessThan(600);
    await node.call('anvil_setLoggingEnabled', false);
    await send('pass', 8n, 'not told');
    await node.call('anvil_setLoggingEnabled', true);
    await send('pass', 6n, 'told');
    expect(await until(/take 6/)).not.toContain('take 8');
  });
});

describe('failed executions', () => {
  test.each([
    ['args: artifacts of Hardhat', writeHardhat],
    ['args: artifacts of Hardhat 3', writeHardhat3],
    ["args: Foundry's out", writeFoundry],
  ])('%s', async (_title, write) => {
    const artifacts = join(folder, 'out');
    write(artifacts, compilation);
    const { node, ask, send, until } = await start('--artifacts', artifacts, '--verbosity', '3');
    const hash = await send('pass', 9n, 'nine\u001b[2J');
    const output = await until(/Vault\.take.*\n/);
    const place = (text: string) => `${SOURCE.replaceAll('.', '\\.')}:${lineOf(text)}`;
    expect(output).toContain(`✗ reverted   Vault.take   block 2   ${hash}\n`);
    const reason = String.raw`reverted: Insufficient\(owner=0x0{37}400, have=5, note="nine\\u001b\[2J"\)`;
    expect(output).toMatch(
      new RegExp(
        String.raw`\[\d+\] Chatter\.pass\(amount=9, note="nine\\u001b\[2J"\) ✗ ${reason} at ` +
          String.raw`${place('// the line of the call')}\n`,
      ),
    );
    expect(output).toMatch(
      new RegExp(String.raw`Vault\.take\(.*${reason} at ${place('revert Insufficient(')}\n`),
    );
    await send('pass', 9n, 'nine');
    const documented = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
    const nine = await until(/Vault\.take\(amount=9, note="nine"\).*\n.*take 9.*\n/);
    expect(treeIn(nine.slice(nine.indexOf('   block 3   ')))).toBe(treeIn(documented));
    const line = 'revert Insufficient(';
    const text = TEXT.split('\n')[lineOf(line) - 1]?.trim();
    const way = `Chatter.pass:${lineOf('// the line of the call')} → Vault.take:${lineOf(line)}`;
    const block = new RegExp(
      String.raw`✗ reverted {3}Vault\.take {3}block 3 {3}(0x\w{64})\n {2}Insufficient\(owner=${FROM}, have=5, note="nine"\)\n` +
        String.raw` {2}(.+)\n {2}take\(amount=9, note="nine"\)\n {2}${way}\n` +
        String.raw` {2}gas ([\d,]+) of 8,000,000 {3}from ${FROM} {3}${node.url}/#/tx/\1\n {2}\[(\d+)\] `,
    );
    const [, , place3, grouped, gas] = block.exec(await until(block)) ?? [];
    expect(place3).toBe(`${SOURCE}:${lineOf(line)}   ${text}`);
    expect(grouped?.replaceAll(',', '')).toBe(gas);
    await ask('eth_call', 'pass', 9n, 'nine');
    const again = await until(/ call again\n.*\n/);
    expect(again).toMatch(/✗ reverted {3}Vault\.take {3}call again\n {2}Insufficient\(.*\n/);
    expect(count(again, /Vault\.take\(amount=9, note="nine"\)/g)).toBe(1);
    await send('pass', 3n, '');
    expect(await until(/three is too many.*\n/)).toMatch(
      new RegExp(`reverted: three is too many at ${place('require(amount != 3')}\n`),
    );
    await send('pass', 1n, '');
    await until(/\n {2}division or modulo by zero \(0x12\)\n/);
    await send('create', true);
    expect(await until(/new Broken\(.*\n/)).toMatch(/new Broken\(code=7\).* ✗ reverted: broken at birth/);
  });

  test('behavior: a failing call and estimate are logged, and later artifacts are used', async () => {
    const artifacts = join(folder, 'out');
    const { ask, until, node } = await start('--artifacts', artifacts);
    await ask('eth_estimateGas', 'pass', 9n, 'early');
    await until(
      /✗ reverted {3}0x\w{40} {3}call\n {2}0x[0-9a-f]+… \(\d+ bytes\)\n {2}0x[0-9a-f]{8}.*\n {2}0x.* → 0x.*\n {2}gas /,
    );
    writeHardhat(artifacts, compilation);
    for (;;) {
      await ask('eth_call', 'pass', 9n, 'late');
      if (node.output().includes('  take(amount=9, note="late")\n')) break;
    }
    expect(node.errors()).toBe('');
  });

  test.each([
    ['0', /^$/],
    ['1', /^✗ reverted {3}Vault\.take {3}block 2 {3}0x\w{64}\n {2}Insufficient\(.*\)\n$/],
    ['2', /^(console\.log .*\n){3}✗ reverted .*\n( {2}\S.*\n){5}$/],
    ['3', /^(console\.log .*\n){3}✗ reverted .*\n( {2}\S.*\n){5} {2}\[\d+\] Chatter\.pass(.*\n)+$/],
  ])('args: --verbosity %s', async (level, expected) => {
    const artifacts = join(folder, 'out');
    writeHardhat(artifacts, compilation);
    const { send, until } = await start('--artifacts', artifacts, '--verbosity', level);
    await send('pass', 9n, 'nine');
    const output = await until(/\nblock 2 .*\n/);
    const [, before = '', after = ''] =
      /\nblock 1 .*\n((?:.*\n)*)block 2 .*\n((?:.*\n)*)$/.exec(output) ?? [];
    expect(before + after).toMatch(expected);
  });

  test('behavior: a failure without a reason has the likely cause, and texts of contracts stay in their line', async () => {
    const artifacts = join(folder, 'out');
    writeHardhat(artifacts, compilation);
    const { node, to, send, until } = await start('--artifacts', artifacts);
    await node.call('eth_sendTransaction', { from: FROM, gas: GAS, to, value: '0x7' });
    expect(await until(/reverted without a reason.*\n/)).toMatch(
      /✗ reverted {3}Chatter {3}block 2 .*\n {2}reverted without a reason: probably the contract has no receive function that takes ether\n/,
    );
    await send('pass', 9n, `a\u202e\n✗ ${'b'.repeat(300)}`);
    const text = await until(/Insufficient\(.*\n/);
    expect(text).toMatch(/\n {2}Insufficient\(.*b…\n/);
    expect(text).not.toContain('\u202e');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(300);
  });
});

describe('custom errors in the messages of JSON-RPC', () => {
  test.each([
    ['args: without workers', []],
    ['args: with workers', ['--workers', '1']],
  ])('%s', async (_title, words) => {
    const { node, to, ask, send } = await start('--ethereum', ...words);
    for (const ready = `ledgerd_workers ${words.length / 2}`; ; ) {
      const metrics = await (await fetch(`${node.url}/metrics`)).text();
      if (words.length === 0 || metrics.includes(`\n${ready}\n`)) break;
    }
    const { input, output } = compilation;
    const error = { code: 3, message: 'execution reverted', data: expect.stringMatching(/^0x[0-9a-f]{8}/) };
    expect((await ask('eth_call', 'pass', 9n, 'nine')).error).toEqual(error);
    await node.call('hardhat_addCompilationResult', '0.8.37', input, output);
    const message = `execution reverted: Insufficient(owner=${FROM}, have=5, note="nine")`;
    for (let count = 0; count < 20; count += 1) {
      expect((await ask('eth_call', 'pass', 9n, 'nine')).error).toEqual({ ...error, message });
    }
    expect((await ask('eth_estimateGas', 'pass', 9n, 'nine')).error).toEqual({ ...error, message });
    expect((await ask('eth_createAccessList', 'pass', 9n, 'nine')).result).toMatchObject({ error: message });
    await expect(send('pass', 9n, 'nine')).resolves.toMatch(/^0x/);
    const { abi } = codeOf(compilation, 'Chatter');
    const data = (note: string) => encodeFunctionData({ abi, functionName: 'pass', args: [9n, note] });
    const untold = await node.response('eth_sendTransaction', { from: FROM, to, data: data('nine') });
    expect(untold.error).toEqual({ ...error, message });
    const long = await node.response('eth_call', { from: FROM, to, gas: GAS, data: data('9'.repeat(5_000)) });
    expect(long.error?.message.length).toBeLessThan(500);
    const calls = [{ from: FROM, to, gas: GAS, data: data('nine') }];
    const onEthereum = (method: string, ...params: readonly unknown[]) =>
      request(`${node.url}/ethereum`, method, ...params);
    expect(await onEthereum('eth_simulateV1', { blockStateCalls: [{ calls }] })).toMatchObject({
      result: [{ calls: [{ error: { ...error, message } }] }],
    });
    expect(await onEthereum('eth_call', calls[0], 'latest')).toMatchObject({ error: { ...error, message } });
  });
});

describe('artifacts given to a node', () => {
  test('behavior: a compilation, and a contract with its addresses', async () => {
    const { node, send, to, until } = await start('--verbosity', '3');
    const { input, output } = compilation;
    const chatter = output.contracts[SOURCE]?.Chatter;
    const artifact = {
      name: 'Renamed',
      abi: chatter?.abi,
      deployedBytecode: `0x${chatter?.evm.deployedBytecode.object}`,
    };
    expect(await node.call('ledger_addArtifact', artifact)).toEqual({ matched: [to] });
    await send('pass', 9n, 'one');
    expect(await until(/Renamed\.pass\(.*\n/)).toMatch(/0x01[0-9a-f]+\.0x82a2941b.*✗ reverted: 0x/i);
    // The sources are known, and the syntax trees of the compiler are not needed.
    expect(await node.call('hardhat_addCompilationResult', '0.8.37', input, output)).toBe(true);
    await send('pass', 8n, 'two');
    await until(new RegExp(`Vault\\.take\\(amount=8.*:${lineOf('revert Insufficient(')}\n`));
    const refused = await node.response('ledger_addArtifact', {
      name: 'A',
      abi: [{ type: 'function', name: 'f', inputs: 7 }],
    });
    expect(refused.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('A: inputs: expected a list of parameters'),
    });
    const nested = await node.response('ledger_addArtifact', { name: 'A', abi: [[{ type: 'function' }]] });
    expect(nested.error?.message).toContain('A: abi[0]: expected an object');
    const long = await node.response('ledger_addArtifact', { name: 'A'.repeat(200_000), abi: [7] });
    expect(long.error?.message).toMatch(/ A{256}: abi\[0\]: expected an object$/);
  });

  test('behavior: the tree of a transaction on the command line', async () => {
    const artifacts = join(folder, 'out');
    writeHardhat(artifacts, compilation);
    const { node, send } = await start('--verbosity', '3');
    const hash = await send('pass', 9n, 'nine');
    const known = await runProgram('trace', hash, '--url', node.url, '--artifacts', artifacts);
    expect(known.errors).toBe('');
    expect(known.output).toMatch(
      /^\[\d+\] Chatter\.pass\(amount=9, note="nine"\) ✗ reverted: Insufficient\(owner=/,
    );
    expect(known.output).toContain('console.log take 9, 100%');
    expect(treeIn(readFileSync(new URL('../../docs/tracing.md', import.meta.url), 'utf8'))).toBe(
      treeIn(known.output),
    );
    // The gas is that of the transaction everywhere.
    const { gasUsed } = await node.call<{ gasUsed: Hex }>('eth_getTransactionReceipt', hash);
    expect(known.output.startsWith(`[${Number(gasUsed)}] `)).toBe(true);
    await node.printed(new RegExp(`block 2 {3}${hash}\\n( {2}.*\\n){4} *\\[${Number(gasUsed)}\\] `));
    const place = `${SOURCE}:${lineOf('revert Insufficient(')}`;
    expect(/Vault\.take\(.*\n/.exec(known.output)?.[0]).toContain(` at ${place}\n`);
    const { output } = await runProgram('trace', hash, '--url', node.url, '--json');
    expect(JSON.parse(output)).toMatchObject({ error: 'execution reverted', calls: expect.any(Array) });
    const missing = await runProgram('trace', `0x${'1'.repeat(64)}`, '--url', node.url);
    expect([missing.status, missing.errors]).toEqual([1, expect.stringContaining('transaction not found')]);
    expect((await runProgram('trace', '0x12')).status).toBe(2);
  });
});
