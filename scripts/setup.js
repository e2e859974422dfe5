/**
 * Prepares a checkout: installs packages, compiles Wasm modules and TypeScript, builds the explorer and bundles the
 * program. Runs only outdated steps, and prints a line before and after each. Run it by `node scripts/setup.js`, with
 * `--tests` for the inputs of tests; `bin/ledgerd.js`, `npm start` and `npm test` run it first.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExplorer, explorerSources, isExplorerBuilt } from './build-explorer.js';
import { buildProgram, isProgramBuilt } from './build-program.js';
import { buildModules, staleModules } from './build-wasm.js';
import { filesBelow, hashInputs, installedVersion, isStamped, writeStamp } from './inputs.js';
import { withLock } from './lock.js';
import { hasMcl, takeMcl } from './mcl.js';
import { hasTestPackages, install, installTestPackages, isInstalled } from './packages.js';
import { hasBinaries, takeBinaries } from './secp256k1.js';
import { isUnchanged, lookAtInputs, note } from './unchanged.cjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Stamp of the bundle's inputs. */
const PACK_STAMP = 'build/program.stamp';

/** Stamp of the explorer's inputs. */
const EXPLORER_STAMP = 'build/explorer.stamp';

/**
 * Brings the checkout up to date. Concurrent callers wait for the first one.
 *
 * @param {{ root?: string, withTests?: boolean, report?: (line: string) => void }} options `withTests`: also the inputs
 *   of tests; `report` receives a line before and after each step; the default is standard error
 * @throws {Error} whose message names the failed step and the reason
 */
export async function setUp({ root = ROOT, withTests = false, report = (line) => console.error(line) } = {}) {
  if (!isCurrent(root, withTests)) {
    await withLock(
      join(root, 'build/setup.lock'),
      (owner) => report(`waiting for the set-up of process ${owner}`),
      () => buildAll(root, withTests, report),
    );
  }
  if (isUnchanged(root)) return;
  // Inputs that change during the build must count as changed, so they are recorded before it.
  const inputs = lookAtInputs(root);
  if (isCurrent(root, false)) note(root, inputs);
}

async function buildAll(root, withTests, report) {
  const steps = stepsToDo(root, withTests);
  let done = 0;
  const begin = (what) => {
    done += 1;
    report(`set-up, ${done} of ${steps}: ${what}`);
  };
  if (!isInstalled(root)) {
    begin('installing the packages, which takes longest');
    const started = Date.now();
    install(root);
    report(`installed the packages in ${secondsSince(started)} s`);
  }
  if (withTests && !hasTestPackages(root)) {
    begin('installing the packages of tests');
    const started = Date.now();
    installTestPackages(root);
    report(`installed the packages of tests in ${secondsSince(started)} s`);
  }
  if (!hasMcl(root) || !hasBinaries(root)) {
    begin('taking the libraries of curves out of their packages');
    takeMcl(root);
    takeBinaries(root);
  }
  const modules = staleModules(root, withTests);
  if (modules.length > 0) {
    begin(`compiling ${modules.map(({ name }) => `build/${name}.wasm`).join(', ')}`);
    await buildModules(root, withTests, report);
  }
  const hash = sourceHash(root);
  if (!isCompiled(root, hash)) {
    begin('compiling the TypeScript');
    compile(root, hash, report);
  }
  // Before the program, which is started once when it is made, and serves the page then.
  const explorer = explorerHash(root);
  if (!isExplorerMade(root, explorer)) {
    begin('making the page of the explorer');
    await makeExplorer(root, explorer, report);
  }
  const packed = packHash(root, hash);
  if (!isPacked(root, packed)) {
    begin('making one file of the program');
    await pack(root, packed, report);
  }
}

/** Counts the steps to run. The packages that they need are installed by then, or are the first step. */
function stepsToDo(root, withTests) {
  const hash = sourceHash(root);
  const isDone = [
    isInstalled(root),
    !withTests || hasTestPackages(root),
    hasMcl(root) && hasBinaries(root),
    staleModules(root, withTests).length === 0,
    isCompiled(root, hash),
    isExplorerMade(root, explorerHash(root)),
    isPacked(root, packHash(root, hash)),
  ];
  return isDone.filter((is) => !is).length;
}

function isCurrent(root, withTests) {
  return stepsToDo(root, withTests) === 0;
}

/** Hashes the inputs of the TypeScript build: sources and compiler configuration. */
function sourceHash(root) {
  const files = [
    ...sources(root),
    ...['tsconfig.json', 'tsconfig.build.json'].map((name) => join(root, name)),
  ];
  return hashInputs(root, files, [installedVersion(root, 'typescript')]);
}

function sources(root) {
  return filesBelow(join(root, 'src')).filter(
    (file) => file.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(file),
  );
}

function isCompiled(root, hash) {
  return (
    isStamped(join(root, 'dist/.stamp'), hash) &&
    sources(root).every((source) => !hasOutput(source) || existsSync(outputOf(root, source)))
  );
}

/** Of AssemblyScript only what TypeScript imports is compiled twice: constants that both sides share. */
function hasOutput(source) {
  return !source.endsWith('.d.ts') && !source.includes(`${sep}assembly${sep}`);
}

function outputOf(root, source) {
  return join(root, 'dist', relative(join(root, 'src'), source).replace(/\.ts$/, '.js'));
}

function compile(root, hash, report) {
  const started = Date.now();
  rmSync(join(root, 'dist/.stamp'), { force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0)
    throw new Error(`the TypeScript does not compile:\n${result.stdout}${result.stderr}`);
  removeOrphans(root);
  writeStamp(join(root, 'dist/.stamp'), hash);
  report(`compiled the TypeScript in ${secondsSince(started)} s`);
}

/** Hashes the inputs of the explorer: its sources and its packages. */
function explorerHash(root) {
  const packages = ['vite', 'preact', '@preact/signals', '@noble/hashes'];
  return hashInputs(
    root,
    explorerSources(root),
    packages.map((name) => installedVersion(root, name)),
  );
}

function isExplorerMade(root, hash) {
  return isStamped(join(root, EXPLORER_STAMP), hash) && isExplorerBuilt(root);
}

async function makeExplorer(root, hash, report) {
  const started = Date.now();
  rmSync(join(root, EXPLORER_STAMP), { force: true });
  const bytes = await buildExplorer(root);
  writeStamp(join(root, EXPLORER_STAMP), hash);
  report(`made build/explorer of ${Math.ceil(bytes / 1024)} KiB in ${secondsSince(started)} s`);
}

/** Hashes the inputs of the program's file: compiled sources, packages, and build scripts. */
function packHash(root, sources) {
  const files = ['build-program.js', 'cache-code.js', 'lmdb-binary.js'].map((name) =>
    join(root, 'scripts', name),
  );
  files.push(join(root, 'package-lock.json'));
  return hashInputs(root, files, [sources]);
}

function isPacked(root, hash) {
  return isStamped(join(root, PACK_STAMP), hash) && isProgramBuilt(root);
}

async function pack(root, hash, report) {
  const started = Date.now();
  rmSync(join(root, PACK_STAMP), { force: true });
  await buildProgram(root);
  writeStamp(join(root, PACK_STAMP), hash);
  report(`made build/program in ${secondsSince(started)} s`);
}

/** A source that went away must not live on in the output. */
function removeOrphans(root) {
  const wanted = new Set(sources(root).map((source) => outputOf(root, source)));
  for (const file of filesBelow(join(root, 'dist'))) {
    if (!wanted.has(file.replace(/\.d\.ts$|\.js\.map$/, '.js'))) rmSync(file);
  }
}

function secondsSince(started) {
  return ((Date.now() - started) / 1000).toFixed(1);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await setUp({ withTests: process.argv.includes('--tests') });
  } catch (error) {
    console.error(`set-up failed: ${error.message}`);
    process.exitCode = 1;
  }
}
