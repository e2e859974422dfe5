/** Reduces the inputs of a build step to one hash, so that a step runs again only after a change. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * SHA-256 over the names and contents of files, and over further facts such as flags and versions.
 *
 * @param {string} root folder that the names are relative to
 * @param {readonly string[]} files absolute paths of files that exist
 * @param {readonly string[]} facts
 * @returns {string} 64 hex digits
 */
export function hashInputs(root, files, facts) {
  const hash = createHash('sha256');
  for (const fact of facts) hash.update(`fact ${fact.length} ${fact}\n`);
  for (const file of [...files].sort()) {
    const content = readFileSync(file);
    hash.update(`file ${relative(root, file).split(sep).join('/')} ${content.length}\n`);
    hash.update(content);
  }
  return hash.digest('hex');
}

/**
 * Every file below a folder, as absolute paths in no particular order.
 *
 * @param {string} folder
 * @returns {string[]} empty when the folder is missing
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/**
 * Returns true if the stamp of a step's last run has the same inputs.
 *
 * @param {string} stamp path of the stamp file
 * @param {string} hash the current result of `hashInputs`
 * @returns {boolean}
 */
export function isStamped(stamp, hash) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/**
 * Notes that a step ran with these inputs.
 *
 * @param {string} stamp path of the stamp file
 * @param {string} hash what `hashInputs` said before the step ran
 */
export function writeStamp(stamp, hash) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

/**
 * The version of an installed package.
 *
 * @param {string} root the checkout
 * @param {string} name
 * @returns {string} `none` when it is not installed
 */
export function installedVersion(root, name) {
  const manifest = join(root, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'none';
}
