/**
 * Takes the binaries of Bitcoin Core's libsecp256k1 out of the package `secp256k1`, to `build/secp256k1/`. An installed
 * ledgerd has them itself: the package would bring an install script, and an implementation in JavaScript that ledgerd
 * does not use.
 */

import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installedVersion, isStamped, writeStamp } from './inputs.js';

/**
 * Returns true if the binaries are those of the installed package.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function hasBinaries(root) {
  return existsSync(folderOf(root)) && isStamped(stampOf(root), installedVersion(root, 'secp256k1'));
}

/**
 * Copies the binaries. The caller holds the set-up's lock, and has installed the packages.
 *
 * @param {string} root the checkout
 */
export function takeBinaries(root) {
  const aside = `${folderOf(root)}.${process.pid}`;
  mkdirSync(join(root, 'build'), { recursive: true });
  cpSync(join(root, 'node_modules/secp256k1/prebuilds'), aside, { recursive: true });
  rmSync(folderOf(root), { recursive: true, force: true });
  renameSync(aside, folderOf(root));
  writeStamp(stampOf(root), installedVersion(root, 'secp256k1'));
}

/** @param {string} root */
const folderOf = (root) => join(root, 'build/secp256k1');

/** @param {string} root */
const stampOf = (root) => join(root, 'build/secp256k1.stamp');
