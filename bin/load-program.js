/**
 * Loads the program's one file together with the code that V8 made of it in an earlier run, so that it need not be
 * compiled again. That code is kept beside the file, and made anew when there is none, or none that this V8 takes.
 */

const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** Milliseconds after which a start is over: what is compiled by then is worth keeping, and not much more. */
const STARTED_MS = 1_000;
/**
 * Bytecode that a function runs between two checks of V8 for optimisation. V8's default is more than four
 * times as much: a node in a test suite is often stopped before that.
 */
const OPTIMISING_BYTES = 30_000;
/**
 * The V8 of Node 20, the only supported one that has such a budget. Its successors count invocations instead, and print
 * an error for a flag that they do not know; asking V8 for its flags would take a process.
 */
const BUDGETED_V8 = '11.3.';
/** Characters at the end of the program that tell one build from another; V8 itself compares lengths. */
const BUILD_ID_CHARACTERS = 64;

/**
 * Runs a file of CommonJS.
 *
 * @param {string} file absolute path; ASCII that ends with the build's id
 * @returns {any} what it exports
 */
exports.loadProgram = (file) => {
  // Latin-1 is the encoding that needs no decoding.
  const source = readFileSync(file, 'latin1');
  const id = source.slice(-BUILD_ID_CHARACTERS);
  const cacheFile = file.replace(/\.cjs$/, '.cache');
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
  const script = new Script(wrapped, { filename: file, cachedData: readCache(cacheFile, id) });
  if (script.cachedDataRejected !== false) {
    setTimeout(() => keepCache(cacheFile, id, script), STARTED_MS).unref();
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
};

/**
 * Has the V8 of Node 20 optimise the functions of this process sooner, once its start is over: earlier that would only
 * take the time of the start, and code that is kept is good for the flags only that it was kept under.
 */
exports.optimiseSoonAfterStart = () => {
  if (!process.versions.v8.startsWith(BUDGETED_V8)) return;
  const optimiseSoon = () => setFlagsFromString(`--interrupt-budget=${OPTIMISING_BYTES}`);
  setTimeout(optimiseSoon, STARTED_MS).unref();
};

/** The code of an earlier run of this build; undefined where there is none. */
function readCache(cacheFile, id) {
  try {
    const cache = readFileSync(cacheFile);
    return cache.toString('latin1', 0, BUILD_ID_CHARACTERS) === id
      ? cache.subarray(BUILD_ID_CHARACTERS)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what V8 has compiled. Where that cannot be written, every start takes a little longer. */
function keepCache(cacheFile, id, script) {
  // Aside first, so that a reader finds the whole or nothing.
  const aside = `${cacheFile}.${process.pid}`;
  try {
    writeFileSync(aside, Buffer.concat([Buffer.from(id, 'latin1'), script.createCachedData()]));
    renameSync(aside, cacheFile);
  } catch {
    rmSync(aside, { force: true });
  }
}
