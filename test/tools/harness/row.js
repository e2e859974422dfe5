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
 * Names of packages with the versions that are installed.
 *
 * @param {Row} row
 */
export function toolOf({ packages }) {
  return packages.map((entry) => `${entry.replace(/^hardhat\d:/, '')} ${versionOf(entry)}`).join(', ');
}

/**
 * The version of a package; `hardhat3:NAME` is that of the project `hardhat3`.
 *
 * @param {string} entry
 */
function versionOf(entry) {
  const [, project = '', name = entry] = /^(hardhat\d):(.*)$/.exec(entry) ?? [];
  const places = [`${SUITE}${project}/node_modules/${name}`, `${SUITE}node_modules/${name}`];
  const place = places.find((folder) => existsSync(`${folder}/package.json`));
  if (place === undefined) return '?';
  return JSON.parse(readFileSync(`${place}/package.json`, 'utf8')).version;
}
