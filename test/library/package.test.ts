import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An empty project with the package installed from its tarball. */
let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', project], ROOT));
  writeFileSync(join(project, 'package.json'), '{ "name": "suite", "private": true, "type": "module" }');
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['install', ...flags, join(project, filename)], project);
});

afterAll(() => rmSync(project, { recursive: true }));

function run(program: string, words: readonly string[], folder = project): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const SUITE = `
  const node = await startTestNode({ accounts: 1, ethereum: true });
  console.log(await node.provider.request({ method: 'eth_accounts' }));
  await node.stop();`;

test('default: an ES module and a CommonJS module start a node', () => {
  const expected = "[ '0x0000000000000000000000000000000000000400' ]\n";
  const imported = `import { startTestNode } from 'ledgerd'; ${SUITE}`;
  expect(run(process.execPath, ['--input-type=module', '--eval', imported])).toBe(expected);
  const required = `const { startTestNode } = require('ledgerd'); (async () => { ${SUITE} })()`;
  expect(run(process.execPath, ['--input-type=commonjs', '--eval', required])).toBe(expected);
});

const NATIVE = `
  const key = PrivateKey.parse('11'.repeat(32));
  const transfer = { type: 'transfer', fee: 20, from: '1.2.1024', to: '1.2.1025', amount: 1n };
  const block = { hash: '0x' + '00'.repeat(32), timestamp: '0x0' };
  const transaction = Transaction.create({ operations: [transfer], referenceBlock: block });
  console.log(transaction.sign(key, '22'.repeat(32)).signatures.length);`;

test('behavior: an ES module and a CommonJS module sign native transactions', () => {
  const imported = `import { PrivateKey, Transaction } from 'ledgerd/native'; ${NATIVE}`;
  expect(run(process.execPath, ['--input-type=module', '--eval', imported])).toBe('1\n');
  const required = `const { PrivateKey, Transaction } = require('ledgerd/native'); ${NATIVE}`;
  expect(run(process.execPath, ['--input-type=commonjs', '--eval', required])).toBe('1\n');
});

test('behavior: the program is installed with it', () => {
  expect(run('npx', ['--no-install', 'ledgerd', '--version'])).toMatch(/^ledgerd \d+\.\d+\.\d+\n$/);
});

test('behavior: a program that does not stop its nodes exits, and leaves no temporary files', () => {
  const temporary = join(project, 'temporary');
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
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    ...{ cwd: project, encoding: 'utf8', timeout: 150_000 },
    env: { ...process.env, TMPDIR: temporary },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe("{ jsonrpc: '2.0', id: 1, result: '0x1' }\n".repeat(3));
  expect(readdirSync(temporary)).toEqual([]);
});

test('behavior: a node that is bound by await using stops at the end of the block', () => {
  const text = `import { startTestNode } from 'ledgerd';
    const kept: { url: string }[] = [];
    {
      await using node = await startTestNode();
      kept.push(node);
      node.provider.on('disconnect', ({ code }) => console.log(code));
    }
    await fetch(kept[0].url).catch(() => console.log('nobody listens'));`;
  writeFileSync(join(project, 'using.ts'), text);
  const compiler = [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '--target',
    'es2022',
    '--module',
    'nodenext',
  ];
  const flags = ['--lib', 'es2022,dom', '--types', '', '--outDir', join(project, 'compiled')];
  run(process.execPath, [...compiler, ...flags, join(project, 'using.ts')]);
  expect(run(process.execPath, [join(project, 'compiled/using.js')])).toBe('1001\nnobody listens\n');
});

test.each([
  ['NodeNext', 'NodeNext'],
  ['Node16', 'Node16'],
  ['ESNext', 'bundler'],
])('behavior: its types need no others (%s, %s)', (module, moduleResolution) => {
  const compilerOptions = {
    ...{ target: 'ES2022', lib: ['ES2022'], module, moduleResolution },
    ...{ types: [], strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true },
  };
  const tsconfig = join(project, 'tsconfig.bare.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: ['bare.ts'] }));
  writeFileSync(
    join(project, 'bare.ts'),
    `import { startTestNode } from 'ledgerd';
      import { PrivateKey } from 'ledgerd/native';
      await using node = await startTestNode({ onLog: (text) => text.length });
      node.provider.on('chainChanged', (chainId) => chainId.startsWith('0x'));
      export const key: PrivateKey = PrivateKey.generate();`,
  );
  expect(run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', tsconfig])).toBe('');
});

test('behavior: the published types compile, and reject an unknown option', () => {
  const compilerOptions = {
    ...{ target: 'ES2023', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: false },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['suite.ts'] }));
  const compile = (options: string, type = 'transfer') => {
    const text = `import { startTestNode } from 'ledgerd';
      import { type Operation, PrivateKey, Transaction } from 'ledgerd/native';
      const { url, provider, stop } = await startTestNode(${options});
      const result: Promise<unknown> = provider.request({ method: url });
      const operation: Operation = { type: '${type}', fee: 20, from: '1.2.3', to: '1.2.4', amount: 5n };
      const transaction = Transaction.create({ operations: [operation], referenceBlock: url, expiration: 7 });
      const hex: string = transaction.sign(PrivateKey.generate(), url).toHex();
      export default [result, stop, hex];`;
    writeFileSync(join(project, 'suite.ts'), text);
    return spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], {
      encoding: 'utf8',
    });
  };
  expect(compile('{ blockTime: 1, balance: 10n }')).toMatchObject({ status: 0, stdout: '' });
  expect(compile('{ blockTimes: 1 }').stdout).toContain("'blockTimes' does not exist");
  expect(compile('{}', 'transfers').stdout).toContain('"transfers"');
});
