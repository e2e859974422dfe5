/** Writes the licences of the software of others that the package contains. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explorerSources } from '../build-explorer.js';
import { filesBelow } from '../inputs.js';
import { COMPILER_FOLDER } from '../wasm/build.js';

/** Packages of which parts are in every build: the standard library of the Wasm modules, the runtime of bundles. */
const BUILD_PACKAGES = ['assemblyscript', 'rolldown', 'vite'];

/** Licences below a package's folder: of the library that its binaries contain. */
const FURTHER_LICENCES = { secp256k1: ['src/secp256k1/COPYING'] };

/** Names of licence files. Those of the dependencies of build tools concern what the package does not contain. */
const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;

/**
 * Returns the text of the package's file of licences.
 *
 * @param {string} root the checkout, which is built
 * @returns {string}
 * @throws {Error} for a package without a licence
 */
export function thirdPartyText(root) {
  const names = new Set([...BUILD_PACKAGES, ...bundledPackages(root), ...explorerPackages(root)]);
  // Packages of one text share a section.
  const titles = new Map();
  for (const name of [...names].sort()) {
    const { title, text } = licenceOf(root, name);
    titles.set(text, [...(titles.get(text) ?? []), title]);
  }
  const sections = Array.from(titles, ([text, those]) => `${those.join('\n')}\n\n${text}`);
  const template = readFileSync(new URL('third-party.template.txt', import.meta.url), 'utf8');
  return [template.trimEnd(), ...sections].join(`\n\n${'='.repeat(80)}\n`).concat('\n');
}

/** Packages whose modules the bundles name in comments. */
function bundledPackages(root) {
  const bundles = filesBelow(join(root, 'build/program')).filter((file) => /\.c?js$/.test(file));
  const names = bundles.flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
      ([, name]) => name,
    ),
  );
  if (!names.includes('zod')) throw new Error('the bundles do not name the packages of their modules');
  return names;
}

/** Packages that the page imports, and those that they need. */
function explorerPackages(root) {
  const imported = explorerSources(root).flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/ from '((?:@[^/']+\/)?[^./'][^/']*)/g),
      ([, name]) => name,
    ),
  );
  const names = new Set(imported.filter((name) => !name.startsWith('node:')));
  for (const name of names) {
    for (const needed of Object.keys(manifestOf(root, name).dependencies ?? {})) names.add(needed);
  }
  return names;
}

function licenceOf(root, name) {
  const folder = folderOf(root, name);
  const { version, license, author } = manifestOf(root, name);
  if (license === undefined) throw new Error(`${folder}/package.json states no licence`);
  const found = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = [...found.sort(), ...(FURTHER_LICENCES[name] ?? [])].map((file) =>
    // What follows in Vite's file are the licences of its dependencies.
    readFileSync(join(folder, file), 'utf8')
      .replace(/^# Licenses of bundled dependencies[\s\S]*/m, '')
      .trim(),
  );
  if (texts.length === 0)
    texts.push(`By ${author?.name ?? author}. The package contains no text of its licence.`);
  return { title: `${name} ${version}, ${license}`, text: texts.join('\n\n') };
}

function manifestOf(root, name) {
  return JSON.parse(readFileSync(join(folderOf(root, name), 'package.json'), 'utf8'));
}

function folderOf(root, name) {
  return join(root, name === 'assemblyscript' ? COMPILER_FOLDER : '', 'node_modules', name);
}
