/**
 * Builds the explorer's page from `explorer/` into `build/explorer/`: `index.html`, and files with a hash of their
 * content in their names. Each is also stored in the encodings that browsers accept, so that a server compresses
 * nothing.
 */

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { filesBelow } from './inputs.js';

/** Bytes that all of the page may have when it is compressed. */
const COMPRESSED_BYTES_MAX = 150 * 1024;

const folderOf = (root) => join(root, 'build/explorer');

/**
 * Returns true if the built page exists.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function isExplorerBuilt(root) {
  return existsSync(join(folderOf(root), 'index.html'));
}

/**
 * Lists the inputs of the page: its sources and those shared with the node, without tests, and the build
 * scripts.
 *
 * @param {string} root the checkout
 * @returns {string[]} absolute paths
 */
export function explorerSources(root) {
  const files = ['explorer', 'src/solidity'].flatMap((folder) => filesBelow(join(root, folder)));
  const sources = files.filter((file) => !/\.(test|testing)\.tsx?$/.test(file));
  return [...sources, join(root, 'scripts/build-explorer.js')];
}

/**
 * Makes the page. The caller holds the set-up's lock.
 *
 * @param {string} root the checkout
 * @returns {Promise<number>} bytes of all of it, compressed by gzip
 * @throws {Error} with the bundler's words, and for a page that is too large
 */
export async function buildExplorer(root) {
  const folder = folderOf(root);
  const aside = `${folder}.${process.pid}`;
  await bundle(root, aside);
  let compressed = 0;
  for (const file of filesBelow(aside)) {
    const bytes = readFileSync(file);
    const gzip = gzipSync(bytes, { level: 9 });
    const brotli = brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    });
    compressed += gzip.length;
    writeFileSync(`${file}.gz`, gzip);
    writeFileSync(`${file}.br`, brotli);
  }
  if (compressed > COMPRESSED_BYTES_MAX) {
    rmSync(aside, { recursive: true });
    throw new Error(`the explorer has ${compressed} bytes compressed, more than ${COMPRESSED_BYTES_MAX}`);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(aside, folder);
  return compressed;
}

/** Bundles the page into a folder. */
async function bundle(root, folder) {
  // Installed by the set-up, which imports this file before.
  const { build } = await import('vite');
  // Decides more than the option `mode`; a test or a user may have set another one.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({
      configFile: false,
      root: join(root, 'explorer'),
      // Relative to the page, since a proxy may add a path prefix.
      base: './',
      logLevel: 'error',
      publicDir: false,
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: folder,
        emptyOutDir: true,
        assetsDir: 'explorer',
        target: 'es2023',
        // Nothing may be a part of the page's text: the policy takes scripts and styles from files alone.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
      },
      worker: { format: 'es' },
    });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}
