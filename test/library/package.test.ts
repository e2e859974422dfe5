import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installPackage, type PackageProject, ROOT, run, WITHOUT_NETWORK } from './installed-package.ts';

let project: PackageProject;

beforeAll(() => {
  project = installPackage();
});

afterAll(() => project.remove());

/** Evaluates an ES module or a CommonJS module in the project, and returns what it prints. */
function evaluate(text: string, form: 'module' | 'commonjs' = 'module'): string {
  return project.run(process.execPath, [`--input-type=${form}`, '--eval', text]);
}

test.skipIf(WITHOUT_NETWORK.length === 0)('behavior: the package is used without a network', () => {
  const interfaces = evaluate(
    "import { networkInterfaces } from 'node:os'; console.log(networkInterfaces());",
  );
  expect(Object.keys(networkInterfaces())).not.toEqual(['lo']);
  expect(interfaces).toMatch(/^\{\s+lo: /);
  expect(interfaces).not.toContain('internal: false');
});

/** Starts the installed program, sends a transfer over JSON-RPC, stops it, and prints what it got. */
const MAIN_JOB = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { createInterface } from 'node:readline';
  const flags = ['start', '--ethereum', '--port', '0'];
  const node = spawn('node_modules/.bin/ledgerd', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(node, 'close');
  let url;
  for await (const line of createInterface({ input: node.stdout })) {
    url ??= /http:\\S+\\/ethereum/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  const call = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = await (await fetch(url, { method: 'POST', body })).json();
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const [from] = await call('eth_accounts');
  const to = '0x00000000000000000000000000000000000000ff';
  const hash = await call('eth_sendTransaction', { from, to, value: '0x7' });
  const { status } = await call('eth_getTransactionReceipt', hash);
  console.log(status, await call('eth_getBalance', to, 'latest'));
  node.kill('SIGTERM');
  console.log(await ended);`;

test('default: the program starts, includes a transfer, and stops', () => {
  expect(evaluate(MAIN_JOB)).toBe('0x1 0x7\n[ 0, null ]\n');
});

test('behavior: the program is found by its name', () => {
  expect(project.run('npx', ['--no-install', 'ledgerd', '--version'])).toMatch(/^ledgerd \d+\.\d+\.\d+\n$/);
});

describe('native add-ons', () => {
  const PLATFORM = `${process.platform}-${process.arch}`;
  const BINARIES = ['darwin-arm64', 'linux-x64', 'win32-x64'];
  const REPLACED = 'signatures are recovered in WebAssembly';
  const START = `import { startTestNode } from 'ledgerd';
    const { stop } = await startTestNode({ onLog: console.log });
    await stop();`;

  /** Runs the program of a copy of the project, or one that imports the package, after a change of its files. */
  function startAfter(change: (modules: string) => void, words = ['--input-type=module', '--eval', START]) {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(project.folder, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
    change(join(folder, 'node_modules'));
    return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  }

  const secp256k1 = (modules: string) => join(modules, 'ledgerd/build/secp256k1');
  const removeLmdb = (modules: string) => rmSync(join(modules, '@lmdb'), { recursive: true });

  test('default: secp256k1 is used where the package has a binary', () => {
    const isUsed = BINARIES.includes(PLATFORM) && process.env.LEDGERD_NO_NATIVE_ADDONS !== 'true';
    expect(evaluate(START).includes(REPLACED)).toBe(!isUsed);
  });

  test('behavior: without a binary WebAssembly and JavaScript replace it, which the start reports once', () => {
    const { status, stdout } = startAfter((modules) => rmSync(secp256k1(modules), { recursive: true }));
    expect([status, stdout.split(REPLACED).length]).toEqual([0, 2]);
    if (process.env.LEDGERD_NO_NATIVE_ADDONS !== 'true') {
      expect(stdout).toContain(`add-on secp256k1 is not used: ledgerd has no binary for ${PLATFORM}`);
    }
  });

  test.runIf(BINARIES.includes(PLATFORM) && process.env.LEDGERD_NO_NATIVE_ADDONS !== 'true')(
    'behavior: a binary that does not load is replaced as well, and the reason is reported',
    () => {
      const damage = (modules: string) => {
        for (const name of readdirSync(join(secp256k1(modules), PLATFORM))) {
          writeFileSync(join(secp256k1(modules), PLATFORM, name), 'no machine code');
        }
      };
      const { status, stdout } = startAfter(damage);
      expect(status).toBe(0);
      expect(stdout).toMatch(
        /signatures are recovered in WebAssembly .*secp256k1 is not used: .*secp256k1\S*\.node/,
      );
    },
  );

  test('error: without that of LMDB the start names the platform, the package, and the remedy', () => {
    const problem = new RegExp(`LMDB, .* does not load on ${PLATFORM}. .* @lmdb/lmdb-${PLATFORM}: install `);
    expect(startAfter(removeLmdb)).toMatchObject({ status: 1, stderr: expect.stringMatching(problem) });
    const program = startAfter(removeLmdb, ['node_modules/ledgerd/bin/ledgerd.js', 'start']);
    expect([program.status, program.stdout]).toEqual([1, '']);
    expect(program.stderr).toMatch(/^ledgerd does not start: .*\n$/);
    expect(program.stderr).toMatch(problem);
  });
});

const SUITE = `
  const node = await startTestNode({ accounts: 1, ethereum: true });
  console.log(await node.provider.request({ method: 'eth_accounts' }));
  await node.stop();`;

test('default: an ES module and a CommonJS module start a node', () => {
  const expected = "[ '0x0000000000000000000000000000000000000400' ]\n";
  expect(evaluate(`import { startTestNode } from 'ledgerd'; ${SUITE}`)).toBe(expected);
  const required = `const { startTestNode } = require('ledgerd'); (async () => { ${SUITE} })()`;
  expect(evaluate(required, 'commonjs')).toBe(expected);
});

const NATIVE = `
  const key = PrivateKey.parse('11'.repeat(32));
  const transfer = { type: 'transfer', fee: 20, from: '1.2.1024', to: '1.2.1025', amount: 1n };
  const block = { hash: '0x' + '00'.repeat(32), timestamp: '0x0' };
  const transaction = Transaction.create({ operations: [transfer], referenceBlock: block });
  console.log(transaction.sign(key, '22'.repeat(32)).signatures.length);`;

test('behavior: an ES module and a CommonJS module sign native transactions', () => {
  expect(evaluate(`import { PrivateKey, Transaction } from 'ledgerd/native'; ${NATIVE}`)).toBe('1\n');
  const required = `const { PrivateKey, Transaction } = require('ledgerd/native'); ${NATIVE}`;
  expect(evaluate(required, 'commonjs')).toBe('1\n');
});

test('behavior: a program that does not stop its nodes exits, and leaves no temporary files', () => {
  const temporary = join(project.folder, 'temporary');
  mkdirSync(temporary);
  const text = `import { startTestNode } from 'ledgerd';
    const nodes = await Promise.all([{}, { blockTime: 60 }, { workers: 1 }].map(startTestNode));
    for (const { url, provider } of nodes) {
      await provider.request({ method: 'debug_traceCall', params: [{ data: '0x5f' }, 'latest', {}] });
      await provider.request({ method: 'evm_mine' });
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
      console.log(await (await fetch(url, { method: 'POST', body })).json());
    }`;
  const words = ['--input-type=module', '--eval', text];
  const printed = project.run(process.execPath, words, { TMPDIR: temporary });
  expect(printed).toBe("{ jsonrpc: '2.0', id: 1, result: '0x1' }\n".repeat(3));
  expect(readdirSync(temporary)).toEqual([]);
});

const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Compiles files of the project, strictly and without skipping declarations; returns what the compiler prints. */
function compile(files: Readonly<Record<string, string>>, options: object): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.folder, name), text);
  const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
  const compilerOptions = { target: 'ES2022', ...strict, noEmit: true, ...options };
  const tsconfig = join(project.folder, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  try {
    return run(process.execPath, [COMPILER, '-p', tsconfig], project.folder);
  } catch (error) {
    return String(error);
  }
}

describe('types', () => {
  const WITH_NODE = { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };
  const WITHOUT_NODE = { types: [], lib: ['ES2022'] };
  const module = `import { startTestNode } from 'ledgerd';
    import { globalSetup } from 'ledgerd/jest';
    import { PrivateKey } from 'ledgerd/native';
    await using node = await startTestNode({ onLog: (text) => text.length });
    node.provider.on('chainChanged', (chainId) => chainId.startsWith('0x'));
    export default globalSetup({ hardfork: 'cancun' });
    export const key: PrivateKey = PrivateKey.generate();`;
  const commonJs = `import ledgerd = require('ledgerd');
    import setup = require('ledgerd/jest');
    export const setups: setup.JestSetup[] = [setup.default, setup.globalSetup({ accounts: 1 })];
    import { PrivateKey } from 'ledgerd/native';
    export const node: Promise<ledgerd.TestNode> = ledgerd.startTestNode({ accounts: 1 });
    export const key: PrivateKey = PrivateKey.generate();`;

  test.each([
    ['NodeNext', 'NodeNext'],
    ['Node16', 'Node16'],
  ])('default: with and without those of Node.js, in both kinds of modules (%s, %s)', (kind, resolution) => {
    const files = { 'esm.mts': module, 'cjs.cts': commonJs };
    const options = { module: kind, moduleResolution: resolution };
    expect(compile(files, { ...options, ...WITHOUT_NODE })).toBe('');
    expect(compile(files, { ...options, ...WITH_NODE })).toBe('');
  });

  test('default: with and without those of Node.js, for a bundler', () => {
    const options = { module: 'ESNext', moduleResolution: 'bundler' };
    expect(compile({ 'esm.ts': module }, { ...options, ...WITHOUT_NODE })).toBe('');
    expect(compile({ 'esm.ts': module }, { ...options, ...WITH_NODE })).toBe('');
  });

  test('error: an unknown option, and an unknown operation', () => {
    const suite = (options: string, type: string) => `import { startTestNode } from 'ledgerd';
      import { type Operation, PrivateKey, Transaction } from 'ledgerd/native';
      const { url, provider, stop } = await startTestNode(${options});
      const result: Promise<unknown> = provider.request({ method: url });
      const operation: Operation = { type: '${type}', fee: 20, from: '1.2.3', to: '1.2.4', amount: 5n };
      const transaction = Transaction.create({ operations: [operation], referenceBlock: url, expiration: 7 });
      const hex: string = transaction.sign(PrivateKey.generate(), url).toHex();
      export default [result, stop, hex];`;
    const options = { module: 'NodeNext', ...WITH_NODE };
    const compileSuite = (given: string, type = 'transfer') =>
      compile({ 'suite.ts': suite(given, type) }, options);
    expect(compileSuite('{ blockTime: 1, balance: 10n }')).toBe('');
    expect(compileSuite('{ blockTimes: 1 }')).toContain("'blockTimes' does not exist");
    expect(compileSuite('{}', 'transfers')).toContain('"transfers"');
  });
});

test('behavior: a node that is bound by await using stops at the end of the block', () => {
  const text = `import { startTestNode } from 'ledgerd';
    const kept: { url: string }[] = [];
    {
      await using node = await startTestNode();
      kept.push(node);
      node.provider.on('disconnect', ({ code }) => console.log(code));
    }
    for (const { url } of kept) await fetch(url).catch(() => console.log('nobody listens'));`;
  const options = {
    module: 'NodeNext',
    lib: ['ES2022', 'DOM'],
    types: [],
    noEmit: false,
    outDir: 'compiled',
  };
  expect(compile({ 'using.ts': text }, options)).toBe('');
  expect(project.run(process.execPath, ['compiled/using.js'])).toBe('1001\nnobody listens\n');
});
