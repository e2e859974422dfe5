/**
 * Loads the program with the code cache of an earlier run, so that V8 need not compile it again. The cache is stored
 * beside the program, and created if it is missing or does not fit this V8.
 */

const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** Milliseconds after which the start is over, and the code compiled so far is worth caching. */
const STARTED_MS = 1_000;
/**
 * Bytecode that a function runs between two checks of V8 for optimisation. V8's default is more than four
 * times as much: a node in a test suite is often stopped before that.
 */
const OPTIMISING_BYTES = 30_000;
/**
 * The V8 of Node 20, the only supported one with such a budget. Later versions count invocations instead, and print an
 * error for the flag; asking V8 for its flags would take a process.
 */
const BUDGETED_V8 = '11.3.';
/** Characters at the end of the program that identify a build; V8 itself compares lengths. */
const BUILD_ID_CHARACTERS = 64;

/**
 * Runs a CommonJS module that is written as a function, as Node wraps one.
 *
 * @param {string} file absolute path; ASCII that ends with the build's id
 * @param {Promise<unknown>} [isWarm] settles when the compiled code is worth caching; the default is after the start
 * @returns {any} its exports
 */
exports.loadProgram = (file, isWarm = afterStart()) => {
  // Latin-1 is the encoding that needs no decoding.
  const source = readFileSync(file, 'latin1');
  const id = source.slice(-BUILD_ID_CHARACTERS);
  const cacheFile = file.replace(/\.cjs$/, '.cache');
  const script = new Script(source, { filename: file, cachedData: readCache(cacheFile, id) });
  if (script.cachedDataRejected !== false) {
    isWarm.then(() => keepCache(cacheFile, id, script));
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
};

/**
 * Makes the V8 of Node 20 optimise functions sooner once the start is over: earlier it would only prolong the start,
 * and cached code is valid only for the flags of its creation.
 */
exports.optimiseSoonAfterStart = () => {
  if (!process.versions.v8.startsWith(BUDGETED_V8)) return;
  const optimiseSoon = () => setFlagsFromString(`--interrupt-budget=${OPTIMISING_BYTES}`);
  setTimeout(optimiseSoon, STARTED_MS).unref();
};

/** Waits until the start is over. */
function afterStart() {
  return new Promise((resolve) => setTimeout(resolve, STARTED_MS).unref());
}

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
