/**
 * Takes the Wasm module of the library mcl out of the package `mcl-wasm`, which carries it as text within a script, to
 * `build/mcl.wasm`. What it computes decides over blocks: so it has to be the one, byte by byte, that was tested.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedVersion } from './inputs.js';

/** SHA-256 of the module of the version that `package.json` names. */
const SHA_256 = '99e25601f2eed784d994aa5c8c1733989350255f78bbbd18571e8df8b65b8f60';

/**
 * Returns true if the module exists.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function hasMcl(root) {
  return existsSync(moduleOf(root)) && hashOf(readFileSync(moduleOf(root))) === SHA_256;
}

/**
 * Writes the module. The caller holds the set-up's lock, and has installed the packages.
 *
 * @param {string} root the checkout
 * @throws {Error} where the package's module is missing, or not the one that was tested
 */
export function takeMcl(root) {
  const carrier = `mcl-wasm ${installedVersion(root, 'mcl-wasm')}`;
  const script = readFileSync(join(root, 'node_modules/mcl-wasm/dist/mcl_c.js'), 'latin1');
  const [, text] = /const wasmBase64 = '([A-Za-z0-9+/=]+)'/.exec(script) ?? [];
  if (text === undefined)
    throw new Error(`${carrier} does not carry its Wasm module as dist/mcl_c.js is known to`);
  const module = Buffer.from(text, 'base64');
  const hash = hashOf(module);
  if (hash !== SHA_256) {
    throw new Error(
      `the Wasm module of ${carrier} has the SHA-256 ${hash}, and scripts/mcl.js expects ${SHA_256}`,
    );
  }
  mkdirSync(join(root, 'build'), { recursive: true });
  const aside = `${moduleOf(root)}.${process.pid}`;
  writeFileSync(aside, module);
  renameSync(aside, moduleOf(root));
}

/** @param {string} root */
const moduleOf = (root) => join(root, 'build/mcl.wasm');

/** @param {Uint8Array} bytes */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
