/**
 * Compiles the AssemblyScript modules to `build/<name>.wasm` if their sources, flags or compiler changed. Run it by
 * `node scripts/wasm/build.js`, or by the set-up; with `--traces` it leaves out those of tests.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashInputs, isStamped, writeStamp } from '../inputs.js';
import { withLock } from '../lock.js';
import { INSTRUCTION_INPUTS, writeInstructions } from './instructions.js';

/** The folder of the compiler's package, apart so that it compiles while the other packages are installed. */
export const COMPILER_FOLDER = 'scripts/wasm';

/** The process that compiles. */
const COMPILER = fileURLToPath(new URL('./compile.js', import.meta.url));

/** Flags of every module: no garbage collector, no checks in release, 128-bit vectors allowed. */
const SHARED_FLAGS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];

const EVM_SOURCE = 'src/evm/assembly/index.ts';
// The host makes the memory (`src/evm/wasm-module.ts`), of at most all pages that have an address.
const EVM_MEMORY = ['--importMemory', '--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'];
const EVM_FLAGS = ['--disableWarning', '201', ...EVM_MEMORY];

/** The modules, with their own flags. Some are only for tests, and some for traces, which a start does not need. */
const ENTRIES = [
  { name: 'evm', source: EVM_SOURCE, flags: [...EVM_FLAGS, '--use', 'STEPS=0'] },
  // The same source, which can call the host before every instruction too.
  { name: 'evm-steps', source: EVM_SOURCE, flags: [...EVM_FLAGS, '--use', 'STEPS=1'], isForTraces: true },
  { name: 'hashes', source: 'src/protocol/assembly/index.ts', flags: [] },
  { name: 'signatures', source: 'src/protocol/assembly/ed25519/index.ts', flags: [] },
  // The arithmetic of signatures alone, for its tests against bigint.
  { name: 'ed25519', source: 'src/protocol/assembly/ed25519/part-exports.ts', flags: [], isForTests: true },
  { name: 'precompiles', source: 'src/evm/assembly/precompiles.ts', flags: [] },
  // Word arithmetic alone, for its tests against bigint.
  { name: 'words', source: 'src/evm/assembly/word-exports.ts', flags: [], isForTests: true },
];

/**
 * Modules to include beside those that every start needs.
 *
 * @typedef {object} Selection
 * @property {boolean} withTests true for the modules of tests
 * @property {boolean} withLater true for the modules that can follow a start
 */

/**
 * Lists the modules to compile.
 *
 * @param {string} root the checkout
 * @param {Selection} selection
 * @returns {{ name: string, source: string, flags: string[], hash: string }[]}
 */
export function staleModules(root, { withTests, withLater }) {
  const selected = ENTRIES.filter(
    ({ isForTests, isForTraces }) => (withTests || !isForTests) && (withLater || !isForTraces),
  );
  return selected.flatMap((entry) => {
    const source = join(root, entry.source);
    const hash = existsSync(source)
      ? hashInputs(root, inputsOf(root, entry), [...SHARED_FLAGS, ...entry.flags])
      : 'missing';
    const isCurrent = existsSync(outputOf(root, entry.name)) && isStamped(stampOf(root, entry.name), hash);
    return isCurrent ? [] : [{ ...entry, hash }];
  });
}

/**
 * Compiles the outdated modules. The caller holds the set-up's lock.
 *
 * @param {string} root the checkout
 * @param {Selection} selection
 * @param {(line: string) => void} report called once for each compiled module
 * @throws {Error} with the compiler's message, after the other modules were compiled
 */
export async function buildModules(root, selection, report) {
  mkdirSync(join(root, 'build'), { recursive: true });
  writeInstructions(root);
  // A later build of these must not meet an engine of other sources.
  for (const { name } of staleModules(root, { withTests: false, withLater: true }))
    rmSync(outputOf(root, name), { force: true });
  const failures = [];
  const compiler = fork(COMPILER, { cwd: root });
  for (const entry of staleModules(root, selection)) {
    const failure = await compile(root, compiler, entry, report);
    if (failure !== undefined) failures.push(failure);
  }
  compiler.disconnect();
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** Compiles into a file aside, so that a reader finds the old module or the new one and never a part. */
async function compile(root, compiler, entry, report) {
  if (entry.hash === 'missing') return `build/${entry.name}.wasm: ${entry.source} is missing`;
  const started = Date.now();
  const output = outputOf(root, entry.name);
  const aside = `${output}.${process.pid}`;
  compiler.send([entry.source, '--outFile', relative(root, aside), ...SHARED_FLAGS, ...entry.flags]);
  const { isCompiled, text } = await replyOf(compiler);
  if (!isCompiled || !existsSync(aside)) {
    rmSync(aside, { force: true });
    return `build/${entry.name}.wasm does not compile:\n${text}`;
  }
  renameSync(aside, output);
  writeStamp(stampOf(root, entry.name), entry.hash);
  report(`built build/${entry.name}.wasm in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return undefined;
}

/** Waits for the reply of a compiler, or for its end. */
async function replyOf(compiler) {
  const [reply] = await Promise.race([once(compiler, 'message'), once(compiler, 'exit')]);
  return typeof reply === 'object' && reply !== null
    ? reply
    : { isCompiled: false, text: `the compiler ended with status ${reply}` };
}

/**
 * Lists the inputs of a module: its sources, and the compiler by its lock file. Files of the engine that the build
 * generates count by their own inputs.
 */
function inputsOf(root, { source }) {
  const others = [
    `${COMPILER_FOLDER}/package-lock.json`,
    ...(source === EVM_SOURCE ? INSTRUCTION_INPUTS : []),
  ];
  return [...sourcesOf(join(root, source)), ...others.map((path) => join(root, path))];
}

/** A source and all that it imports by a relative path, however deep. */
function sourcesOf(entry) {
  const found = new Set([entry]);
  for (const source of found) {
    const text = readFileSync(source, 'utf8');
    for (const [, target] of text.matchAll(/\bfrom\s*["'](\.{1,2}\/[^"']+)["']/g)) {
      const path = resolve(dirname(source), target);
      const file = [path, `${path}.ts`, join(path, 'index.ts')].find(
        (candidate) => candidate.endsWith('.ts') && existsSync(candidate),
      );
      if (file !== undefined) found.add(file);
    }
  }
  return [...found];
}

function outputOf(root, name) {
  return join(root, 'build', `${name}.wasm`);
}

function stampOf(root, name) {
  return join(root, 'build', `${name}.stamp`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  try {
    await withLock(
      join(root, 'build/setup.lock'),
      (owner) => console.error(`waiting for the set-up of process ${owner}`),
      () =>
        buildModules(root, { withTests: !process.argv.includes('--traces'), withLater: true }, console.error),
    );
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
