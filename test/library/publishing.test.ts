import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installPackage, type PackageProject, pack, ROOT, run } from './installed-package.ts';

/** Bytes of the package with its dependencies, on one platform. */
const INSTALLED_BYTES_MAX = 25_000_000;

/** The inputs of the package. */
const SOURCES = ['bin', 'data', 'explorer', 'scripts', 'src', 'LICENSE', 'README.md', 'package.json'].concat([
  ...['docs', 'deploy', 'examples', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md'],
  ...['test/explorer/README.md', 'package-lock.json'],
  'tsconfig.json',
  'tsconfig.build.json',
]);

let project: PackageProject;

beforeAll(() => {
  project = installPackage();
});

afterAll(() => project.remove());

function read(path: string): string {
  return readFileSync(join(project.folder, 'node_modules', path), 'utf8');
}

/** Files and folders below a folder. */
function entriesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

describe('the package', () => {
  test('default: it has the program, the library, their types and licences, and nothing else but documents', () => {
    const all = entriesBelow(join(project.folder, 'node_modules/ledgerd'));
    const files = all.filter((file) => !/^(docs|deploy|examples)\/|^[A-Z]+\.md$|\/README\.md$/.test(file));
    const kinds = files.map((file) => file.replace(/^(build\/explorer\/explorer|data|bin)\/.*/, '$1/…'));
    expect([...new Set(kinds)].filter((file) => /\.\w+$|^LICENSE$/.test(file)).sort()).toEqual(
      [
        ...['LICENSE', 'THIRD-PARTY.txt', 'package.json', 'build/explorer/index.html'],
        ...['build/explorer/index.html.br', 'build/explorer/index.html.gz'],
        ...['evm', 'evm-steps', 'hashes', 'mcl', 'precompiles', 'signatures'].map(
          (name) => `build/${name}.wasm`,
        ),
        ...['blob', 'query', 'signature', 'solver'].map((name) => `build/program/${name}-worker.js`),
        ...['build/program/ledgerd.cjs', 'build/program/native.cjs'],
        ...['darwin-arm64/secp256k1', 'linux-x64/secp256k1.glibc', 'linux-x64/secp256k1.musl'].map(
          (name) => `build/secp256k1/${name}.node`,
        ),
        'build/secp256k1/win32-x64/secp256k1.node',
        ...['index', 'provider', 'provider-events', 'test-node'].map(
          (name) => `build/types/library/${name}.d.cts`,
        ),
        'build/types/library/global-setup/jest.d.cts',
        'build/types/library/global-setup/shared-node.d.cts',
        'build/types/library/global-setup/vitest.d.mts',
        ...['index', 'operations', 'reference', 'transaction'].map(
          (name) => `build/types/native/${name}.d.cts`,
        ),
      ].sort(),
    );
  });

  test('behavior: links between its documents lead to files that it has', () => {
    const folder = join(project.folder, 'node_modules/ledgerd');
    const documents = entriesBelow(folder).filter((file) => file.endsWith('.md'));
    expect(documents).toContain('docs/ethereum.md');
    const dead = documents.flatMap((document) => {
      const links = readFileSync(join(folder, document), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g);
      const paths = Array.from(links, ([, link = '']) => join(dirname(document), link));
      return paths.filter((path) => !existsSync(join(folder, path)));
    });
    expect(dead).toEqual([]);
  });

  test('behavior: it is small with all that it installs', () => {
    const installed = join(project.folder, 'node_modules');
    const bytes = entriesBelow(installed).map((path) => statSync(join(installed, path)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(INSTALLED_BYTES_MAX);
  });

  test('behavior: nothing that it installs has an install script', () => {
    const { packages } = JSON.parse(read('.package-lock.json'));
    const withScripts = Object.entries(packages).filter(
      ([, entry]) => (entry as { hasInstallScript?: boolean }).hasInstallScript,
    );
    expect(withScripts).toEqual([]);
  });

  test('behavior: its binaries of LMDB are those of the bundled lmdb', () => {
    const { optionalDependencies, dependencies } = JSON.parse(read('ledgerd/package.json'));
    const lmdb = JSON.parse(readFileSync(join(ROOT, 'node_modules/lmdb/package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    expect(optionalDependencies).toMatchObject(lmdb.optionalDependencies);
  });
});

describe('licences', () => {
  test('default: of every package that a bundle contains', () => {
    const licences = read('ledgerd/THIRD-PARTY.txt');
    const bundles = ['ledgerd.cjs', 'native.cjs', 'query-worker.js', 'blob-worker.js', 'signature-worker.js'];
    const text = bundles.map((name) => read(`ledgerd/build/program/${name}`)).join('\n');
    const modules = text.matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
    const packages = new Set(Array.from(modules, ([, name]) => name));
    expect(packages.size).toBeGreaterThan(25);
    for (const name of [...packages, 'preact', '@preact/signals-core', 'assemblyscript', 'secp256k1'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, [\\w.-]+$`, 'm'));
    expect(licences).not.toContain('undefined');
    // Of libraries inside packages: mcl, and libsecp256k1.
    expect(licences).toContain('Copyright (c) 2015 MITSUNARI Shigeo');
    expect(licences).toContain('Copyright (c) 2013 Pieter Wuille');
  });

  test('behavior: of every contract of the genesis', () => {
    const licences = read('ledgerd/THIRD-PARTY.txt');
    const contracts = read('ledgerd/data/preinstalls.txt').matchAll(/^([A-Z][\w]+|[a-z-]+)\S* 0x/gm);
    const names = Array.from(contracts, ([, name = '']) => name);
    expect(names).toContain('CreateX');
    expect(
      names.filter((name) => !licences.includes(`  ${name}`) && !licences.includes(`, ${name}`)),
    ).toEqual([]);
  });
});

describe('tools of publishers', () => {
  const tool = (name: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin', name), words, {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      // Commands of npm are scripts on Windows, which only a shell can start.
      shell: process.platform === 'win32',
    });
    return { status, output: `${stdout}${stderr}` };
  };

  test('default: publint finds nothing', () => {
    expect(tool('publint', 'run', project.tarball, '--strict')).toMatchObject({
      status: 0,
      output: expect.stringContaining('All good!'),
    });
  });

  test('default: are-the-types-wrong finds nothing', () => {
    expect(tool('attw', project.tarball, '--exclude-entrypoints', 'vitest')).toMatchObject({
      status: 0,
      output: expect.stringContaining('No problems found'),
    });
    // An ES module, as vitest is.
    const vitest = tool('attw', project.tarball, '--entrypoints', 'vitest', '--profile', 'esm-only');
    expect(vitest).toMatchObject({ status: 0, output: expect.stringContaining('"ledgerd/vitest"') });
  });

  test('default: npm would publish it, and corrects nothing', () => {
    const words = ['publish', '--dry-run', '--offline', project.tarball];
    const { status, stderr } = spawnSync('npm', words, { cwd: project.folder, encoding: 'utf8' });
    const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/.test(line));
    expect({ status, warnings: warnings.filter((line) => !line.includes('to be logged in')) }).toEqual({
      status: 0,
      warnings: [],
    });
  });
});

const canLink = spawnSync('cp', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU') ?? false;

test.skipIf(!canLink)(
  'behavior: another folder with the same sources gives the same bytes (skipped without GNU cp)',
  { timeout: 600_000 },
  () => {
    // Beside the packages, which are linked: a copy of them would take longer than the build.
    const copy = mkdtempSync(join(ROOT, 'build/package-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    run('cp', ['--archive', '--link', join(ROOT, 'node_modules'), join(copy, 'node_modules')], ROOT);
    expect(existsSync(join(copy, 'dist'))).toBe(false);
    expect(hashOf(pack(copy, copy))).toBe(hashOf(project.tarball));
  },
);

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
