/**
 * The quick answer to whether a checkout is as the last set-up left it: nothing is read, and everything that a build
 * depends on is asked for its time and size. CommonJS and apart from the set-up, since every start asks.
 */

const { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const STAMP = 'build/unchanged.json';

/** Beside the sources; a folder stands for the names in it, each of its files for itself. */
const INPUTS = [
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts',
  'src',
  'explorer',
];

/** What the program loads. */
const OUTPUTS = [
  'build/evm.wasm',
  'build/evm-steps.wasm',
  'build/hashes.wasm',
  'build/mcl.wasm',
  'build/precompiles.wasm',
  'build/secp256k1',
  'build/signatures.wasm',
].concat(
  'build/explorer/index.html',
  'build/program/ledgerd.cjs',
  'build/program/solver-worker.js',
  'build/program/query-worker.js',
);

/**
 * Whether all that was noted is as it was.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
exports.isUnchanged = (root) => {
  try {
    const noted = JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
    return noted.every(([path, time, size]) => {
      const found = statSync(`${root}/${path}`, { throwIfNoEntry: false });
      return found !== undefined && found.mtimeMs === time && found.size === size;
    });
  } catch {
    return false;
  }
};

/**
 * Looks at everything that a build depends on.
 *
 * @param {string} root the checkout
 * @returns {[path: string, time: number, size: number][]} for `note`, when the build is done
 */
exports.lookAtInputs = (root) => INPUTS.flatMap((path) => look(root, path));

/**
 * Notes that the build fits what was looked at before it.
 *
 * @param {string} root the checkout
 * @param {[path: string, time: number, size: number][]} inputs
 */
exports.note = (root, inputs) => {
  const stamp = join(root, STAMP);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify([...inputs, ...OUTPUTS.flatMap((path) => look(root, path))]));
};

/** Tests, and installed packages, for which their lock file stands. */
const LEFT_OUT = /\.(test|testing)\.tsx?$|^node_modules$/;

/** A file or folder, and what is below it. */
function look(root, path) {
  const { mtimeMs, size } = statSync(join(root, path));
  const own = [path, mtimeMs, size];
  if (!statSync(join(root, path)).isDirectory()) return [own];
  const below = readdirSync(join(root, path)).filter((name) => !LEFT_OUT.test(name));
  return [own, ...below.flatMap((name) => look(root, `${path}/${name}`))];
}
