/**
 * A file of `rows/`: one tool and its expectations.
 *
 * @typedef {(checks: import('./checks.js').Checks, target: import('./targets.js').Target, scratch: string) =>
 *   Promise<void>} Run `scratch` is a separate folder
 * @typedef {object} Row
 * @property {string} name
 * @property {readonly string[]} packages whose versions are printed; the first is the tool's
 * @property {Run} run
 */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the suite. */
export const SUITE = fileURLToPath(new URL('../', import.meta.url));

/**
 * Returns the names of packages with the installed versions.
 *
 * @param {Row} row
 */
export function toolOf({ packages }) {
  return packages.map((entry) => `${entry.replace(/^hardhat\d:/, '')} ${versionOf(entry)}`).join(', ');
}

/**
 * Returns the version of a package; `hardhat3:NAME` is that of the project `hardhat3`.
 *
 * @param {string} entry
 */
function versionOf(entry) {
  const [, project = '', name = entry] = /^(hardhat\d):(.*)$/.exec(entry) ?? [];
  const folders = [`${SUITE}${project}/node_modules/${name}`, `${SUITE}node_modules/${name}`];
  const found = folders.find((folder) => existsSync(`${folder}/package.json`));
  if (found === undefined) return '?';
  return JSON.parse(readFileSync(`${found}/package.json`, 'utf8')).version;
}
