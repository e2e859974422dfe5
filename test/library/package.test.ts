import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An empty project into which the package was installed from its tarball. */
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

test('behavior: the program is installed beside it', () => {
  expect(run('npx', ['--no-install', 'ledgerd', '--version'])).toMatch(/^ledgerd \d+\.\d+\.\d+\n$/);
});

test('behavior: its types are whole, and refuse an option that there is not', () => {
  const compilerOptions = {
    ...{ target: 'ES2023', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: false },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['suite.ts'] }));
  const compile = (options: string) => {
    const text = `import { startTestNode } from 'ledgerd';
      const { url, provider, stop } = await startTestNode(${options});
      const result: Promise<unknown> = provider.request({ method: url });
      export default [result, stop];`;
    writeFileSync(join(project, 'suite.ts'), text);
    return spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], {
      encoding: 'utf8',
    });
  };
  expect(compile('{ blockTime: 1, balance: 10n }')).toMatchObject({ status: 0, stdout: '' });
  expect(compile('{ blockTimes: 1 }').stdout).toContain("'blockTimes' does not exist");
});
