/**
 * Prepares a checkout: installs packages, compiles Wasm modules, builds the explorer, bundles the program, and caches
 * its compiled code. Runs only outdated steps, independent ones at the same time, and prints a line before and after
 * each. Run it by `node scripts/setup.js`, with `--tests` for the inputs of tests, or with `--start` for what a start
 * needs; `bin/ledgerd.js`, `npm start` and `npm test` run it first.
 */

import { spawn } from 'node:child_process';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExplorer, explorerSources, isExplorerBuilt } from './build-explorer.js';
import { buildProgram, isProgramBuilt } from './build-program.js';
import { cacheCode } from './cache-code.js';
import { filesBelow, hashInputs, installedVersion, isStamped, writeStamp } from './inputs.js';
import { withLock } from './lock.js';
import { hasMcl, takeMcl } from './mcl.js';
import { hasTestPackages, install, installTestPackages, isInstalled } from './packages.js';
import { runCommand } from './run-command.js';
import { hasBinaries, takeBinaries } from './secp256k1.js';
import { isUnchanged, lookAtInputs, note } from './unchanged.cjs';
import { buildModules, COMPILER_FOLDER, staleModules } from './wasm/build.js';

/** Milliseconds after which a start is over. */
const STARTED_MS = 1_000;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Stamp of the bundle's inputs. */
const PACK_STAMP = 'build/program.stamp';

/** Stamp of the bundle whose code is cached. */
const CODE_STAMP = 'build/code.stamp';

/** Stamp of the explorer's inputs. */
const EXPLORER_STAMP = 'build/explorer.stamp';

/**
 * Parts beside those that a start needs.
 *
 * @typedef {object} Options
 * @property {string} [root] the checkout; the default is that of this file
 * @property {boolean} [withTests] true for the inputs of tests: packages, modules, and the compiled TypeScript
 * @property {boolean} [withDist] true for the compiled TypeScript
 * @property {boolean} [withLater] false to leave out what can follow the start: modules of traces, and compiled code
 * @property {(line: string) => void} [report] receives a line before and after each step; the default is standard error
 */

/**
 * Brings the checkout up to date. Concurrent callers wait for the first one.
 *
 * @param {Options} [options]
 * @throws {Error} whose message names the failed step and the reason
 */
export async function setUp(options = {}) {
  const { root = ROOT, withTests = false, withDist = withTests, withLater = true } = options;
  const { report = (line) => console.error(line) } = options;
  const parts = { withTests, withDist, withLater };
  if (!isComplete(root, parts)) {
    await withLock(
      join(root, 'build/setup.lock'),
      (owner) => report(`waiting for the set-up of process ${owner}`),
      () => buildAll(root, parts, report),
    );
  }
  if (isUnchanged(root)) return;
  // Inputs that change during the build must count as changed, so they are recorded before it.
  const inputs = lookAtInputs(root);
  if (isComplete(root, PROGRAM)) note(root, inputs);
}

/** Runs the rest of the set-up in a process of low priority once the start is over. */
export function completeLater() {
  if (isUnchanged(ROOT)) return;
  const begin = () => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'ignore' });
    // Without it, traces build what they need, and the next start tries again.
    child.on('error', () => undefined).unref();
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  };
  setTimeout(begin, STARTED_MS).unref();
}

/** The parts of the program, which the start compares. */
const PROGRAM = { withTests: false, withDist: false, withLater: true };

async function buildAll(root, parts, report) {
  const run = async (what, result, step) => {
    report(`set-up: ${what}`);
    const started = Date.now();
    const detail = await step();
    if (result !== undefined) report(`${result}${detail ?? ''} in ${secondsSince(started)} s`);
  };
  const modules = makeModules(root, parts, run, report);
  await allOf([modules, makeOthers(root, parts, run, modules)]);
  const packed = packHash(root);
  if (parts.withLater && !isStamped(join(root, CODE_STAMP), packed))
    await run('compiling the program', 'made build/program/ledgerd.cache', () => compileCode(root, packed));
}

/** Compiles the Wasm modules, which takes longest and needs one package. */
async function makeModules(root, parts, run, report) {
  const folder = join(root, COMPILER_FOLDER);
  if (!isInstalled(folder))
    await run('installing the compiler of Wasm modules', 'installed the compiler', () => install(folder));
  const modules = staleModules(root, parts);
  const files = modules.map(({ name }) => `build/${name}.wasm`).join(', ');
  if (modules.length > 0) await run(`compiling ${files}`, undefined, () => buildModules(root, parts, report));
}

/** Installs the packages, and makes what is not Wasm. The bundles that contain modules wait for these. */
async function makeOthers(root, parts, run, modules) {
  if (!isInstalled(root)) await run('installing the packages', 'installed the packages', () => install(root));
  if (parts.withTests && !hasTestPackages(root))
    await run('installing the packages of tests', 'installed the packages of tests', () =>
      installTestPackages(root),
    );
  if (!hasMcl(root) || !hasBinaries(root)) {
    await run('taking the libraries of curves out of their packages', undefined, () => {
      takeMcl(root);
      takeBinaries(root);
    });
  }
  await allOf(beginBuilds(root, parts, run, modules));
}

/** Begins the steps that need the packages and not each other. */
function* beginBuilds(root, parts, run, modules) {
  const packed = packHash(root);
  if (!isPacked(root, packed))
    yield run('making one file of the program', 'made build/program', () => pack(root, packed, modules));
  const hash = sourceHash(root);
  if (parts.withDist && !isCompiled(root, hash))
    yield run('compiling the TypeScript', 'compiled the TypeScript', () => compile(root, hash));
  const explorer = explorerHash(root);
  if (!isExplorerMade(root, explorer))
    yield run('making the page of the explorer', 'made build/explorer', () => makeExplorer(root, explorer));
}

/** Waits for all steps, and then throws the first failure: the lock is held as long as a step runs. */
async function allOf(steps) {
  const outcomes = await Promise.allSettled(steps);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Returns true if no step has to run. */
function isComplete(root, { withTests, withDist, withLater }) {
  const packed = packHash(root);
  return (
    isInstalled(root) &&
    isInstalled(join(root, COMPILER_FOLDER)) &&
    (!withTests || hasTestPackages(root)) &&
    hasMcl(root) &&
    hasBinaries(root) &&
    staleModules(root, { withTests, withLater }).length === 0 &&
    (!withDist || isCompiled(root, sourceHash(root))) &&
    isExplorerMade(root, explorerHash(root)) &&
    isPacked(root, packed) &&
    (!withLater || isStamped(join(root, CODE_STAMP), packed))
  );
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

async function compile(root, hash) {
  rmSync(join(root, 'dist/.stamp'), { force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const parameters = [compiler, '-p', 'tsconfig.build.json'];
  const { status, output } = await runCommand(root, process.execPath, parameters);
  if (status !== 0) throw new Error(`the TypeScript does not compile:\n${output}`);
  removeOrphans(root);
  writeStamp(join(root, 'dist/.stamp'), hash);
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

async function makeExplorer(root, hash) {
  rmSync(join(root, EXPLORER_STAMP), { force: true });
  const bytes = await buildExplorer(root);
  writeStamp(join(root, EXPLORER_STAMP), hash);
  return ` of ${Math.ceil(bytes / 1024)} KiB`;
}

/** Hashes the inputs of the program's files: sources, packages, and build scripts. */
function packHash(root) {
  const files = ['build-program.js', 'cache-code.js', 'lmdb-binary.js'].map((name) =>
    join(root, 'scripts', name),
  );
  return hashInputs(root, [...files, ...sources(root), join(root, 'package-lock.json')], []);
}

function isPacked(root, hash) {
  return isStamped(join(root, PACK_STAMP), hash) && isProgramBuilt(root);
}

async function pack(root, hash, modules) {
  rmSync(join(root, PACK_STAMP), { force: true });
  await buildProgram(root, modules);
  writeStamp(join(root, PACK_STAMP), hash);
}

async function compileCode(root, hash) {
  await cacheCode(root);
  writeStamp(join(root, CODE_STAMP), hash);
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
    await setUp({
      withTests: process.argv.includes('--tests'),
      withLater: !process.argv.includes('--start'),
    });
  } catch (error) {
    console.error(`set-up failed: ${error.message}`);
    process.exitCode = 1;
  }
}
