/**
 * Bundles the program and the library, `build/program/ledgerd.cjs`, from `src/` and its packages: Node
 * takes long to load a thousand modules. The native part of lmdb stays in its package. The threads of `ledgerd
 * register`, the workers and the native transactions have separate files.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Returns the files of a build. They have the depth of files in a folder of `src/`, so that relative paths stay valid.
 *
 * @param {string} root the checkout
 */
const filesOf = (root) => {
  const folder = join(root, 'build/program');
  return {
    folder,
    program: join(folder, 'ledgerd.cjs'),
    native: join(folder, 'native.cjs'),
    solver: join(folder, 'solver-worker.js'),
    query: join(folder, 'query-worker.js'),
    blobs: join(folder, 'blob-worker.js'),
    signatures: join(folder, 'signature-worker.js'),
  };
};

/**
 * Returns true if the built files exist.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function isProgramBuilt(root) {
  const { folder: _folder, ...files } = filesOf(root);
  return Object.values(files).every((file) => existsSync(file));
}

/**
 * A file to bundle.
 *
 * @typedef {object} Entry
 * @property {string} input
 * @property {'es' | 'cjs'} format
 * @property {string} file
 * @property {import('rolldown').InputOptions} [options]
 * @property {import('rolldown').OutputOptions} [output]
 * @property {boolean} [containsModules] true for a bundle with the Wasm modules inside
 */

/**
 * Makes the files. The caller holds the set-up's lock.
 *
 * @param {string} root the checkout
 * @param {Promise<void>} modules resolves when the Wasm modules are compiled
 * @throws {Error} with the bundler's words
 */
export async function buildProgram(root, modules) {
  // Installed by the set-up, which imports this file before.
  const { rolldown } = await import('rolldown');
  const { folder, program, native, solver, query, blobs, signatures } = filesOf(root);
  mkdirSync(folder, { recursive: true });
  /** @type {Entry[]} */
  const entries = [
    { input: 'src/cli/register/solver-worker.ts', format: 'es', file: solver },
    { input: 'src/processes/query-worker.ts', format: 'es', file: query },
    { input: 'src/processes/blob-worker.ts', format: 'es', file: blobs },
    { input: 'src/processes/signature-worker.ts', format: 'es', file: signatures },
    { input: 'src/library/program.ts', format: 'cjs', file: program, output: LOADED_OPTIONS },
    {
      input: 'src/native/index.ts',
      format: 'cjs',
      file: native,
      options: SMALL_OPTIONS,
      containsModules: true,
    },
  ];
  for (const { input, format, file, options = {}, output: own = {}, containsModules } of entries) {
    if (containsModules) await modules;
    const bundle = await rolldown({ ...INPUT_OPTIONS, ...options, cwd: root, input });
    const { output } = await bundle.generate({ format, ...OUTPUT_OPTIONS, ...own });
    await bundle.close();
    write(file, output[0].code);
  }
}

/**
 * Keeps packages from native add-ons that they find in the user's `node_modules`, or do not need here: the store keeps
 * bytes, which the encoder of lmdb does not touch.
 */
const WITHOUT_ADDONS = {
  'process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED': '"true"',
  'process.env.WS_NO_BUFFER_UTIL': '"true"',
  'process.env.WS_NO_UTF_8_VALIDATE': '"true"',
};

/** @type {import('rolldown').InputOptions} */
const INPUT_OPTIONS = {
  platform: 'node',
  // Packages do things that a bundler likes to warn of.
  logLevel: 'silent',
  plugins: [findNativePart()],
  transform: { target: 'es2023', define: WITHOUT_ADDONS },
};

/** The bundle that opens no file: it contains only its exports' dependencies, Wasm modules included. */
/** @type {import('rolldown').InputOptions} */
const SMALL_OPTIONS = {
  treeshake: { moduleSideEffects: false },
  plugins: [takeWasmIn()],
};

/** A readable bundle with source names, so that stack traces are useful. */
const OUTPUT_OPTIONS = /** @type {const} */ ({
  codeSplitting: false,
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
});

/** Wraps a bundle as Node wraps a CommonJS module, for `bin/load-program.js`: it need not copy the text for that. */
const LOADED_OPTIONS = {
  postBanner: '(function (exports, require, module, __filename, __dirname) {',
  postFooter: '})',
};

/**
 * Loads lmdb's native part from the package of its platform. Its own search is slower, and needs lmdb's package.
 *
 * @returns {import('rolldown').Plugin}
 */
function findNativePart() {
  const file = fileURLToPath(new URL('./lmdb-binary.js', import.meta.url));
  const PART = `${file}?default`;
  return {
    name: 'native-part-of-lmdb',
    resolveId: (source, importer) =>
      source === 'node-gyp-build-optional-packages' && /lmdb.native\.js$/.test(importer ?? '') ? PART : null,
    load: (id) => (id === PART ? `export { loadBinary as default } from ${JSON.stringify(file)};` : null),
  };
}

/** Embeds the bytes of Wasm modules instead of reading files. */
/** @returns {import('rolldown').Plugin} */
function takeWasmIn() {
  const READING = /readFileSync\(new URL\('([./\w-]+\.wasm)', import\.meta\.url\)\)/g;
  return {
    name: 'take-wasm-in',
    transform: (code, id) =>
      code.replace(READING, (_, path) => {
        const digits = readFileSync(new URL(path, pathToFileURL(id))).toString('base64');
        return `Buffer.from('${digits}', 'base64')`;
      }),
  };
}

/** The id at the end distinguishes builds of equal length. */
function write(file, text) {
  const id = createHash('sha256').update(text).digest('hex');
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${text}\n// ${id}`);
  renameSync(aside, file);
}
