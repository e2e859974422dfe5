/**
 * Installs the packages of a checkout: those of the program and its build, in `scripts/wasm/` the compiler of the Wasm
 * modules, and in `test/` those that only tests need. The latter are linked into the checkout's `node_modules` too,
 * where tests in `src/` and editors find them.
 */

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { runCommand } from './run-command.js';

const IS_WINDOWS = process.platform === 'win32';

/**
 * Returns true if a folder's `node_modules` has the packages of its `package-lock.json`, by the lock file that npm
 * leaves in it. Packages of other platforms may be missing, or locked by version alone.
 *
 * @param {string} folder
 * @returns {boolean}
 */
export function isInstalled(folder) {
  const installedLock = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(installedLock)) return false;
  const installed = readJson(installedLock).packages;
  const wanted = readJson(join(folder, 'package-lock.json')).packages;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && (integrity === undefined || found.integrity === integrity);
  });
}

/**
 * Installs the packages of a folder's lock file without install scripts, which none of them needs.
 *
 * @param {string} folder
 * @throws {Error} with npm's output
 */
export async function install(folder) {
  const parameters = [
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  // npm is a script on Windows, which only a shell can start.
  const { status, output } = await runCommand(folder, 'npm', parameters, { shell: IS_WINDOWS });
  if (status !== 0) throw new Error(`npm ${parameters.join(' ')} failed in ${folder}:\n${output}`);
}

/**
 * Returns true if the packages of tests are installed and linked.
 *
 * @param {string} root the checkout
 * @returns {boolean}
 */
export function hasTestPackages(root) {
  return isInstalled(join(root, 'test')) && linksOf(root).every(({ link }) => existsSync(link));
}

/**
 * Installs and links the packages of tests.
 *
 * @param {string} root the checkout, whose other packages are installed
 * @throws {Error} with npm's output
 */
export async function installTestPackages(root) {
  if (!isInstalled(join(root, 'test'))) await install(join(root, 'test'));
  for (const { link, target } of linksOf(root)) {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { recursive: true, force: true });
    // Windows links only folders without a privilege. The command files of npm are valid beside linked packages.
    if (basename(dirname(link)) === '.bin' && IS_WINDOWS) copyFileSync(target, link);
    else symlinkSync(relative(dirname(link), target), link, 'junction');
  }
}

/** Lists the links: packages, their commands, and ledgerd itself, which the tests import by its name. */
function linksOf(root) {
  const { dependencies, optionalDependencies } = readJson(join(root, 'test/package.json'));
  const isHere = (name) => existsSync(join(root, 'test/node_modules', name));
  const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies).filter(isHere)];
  const modules = join(root, 'node_modules');
  const links = names.map((name) => ({
    link: join(modules, name),
    target: join(root, 'test/node_modules', name),
  }));
  links.push({ link: join(modules, 'ledgerd'), target: root });
  for (const command of names.flatMap((name) => commandsOf(root, name))) {
    for (const ending of IS_WINDOWS ? ['', '.cmd', '.ps1'] : [''])
      links.push({
        link: join(modules, '.bin', command + ending),
        target: join(root, 'test/node_modules/.bin', command + ending),
      });
  }
  return links;
}

/** Names of a package's commands; none before it is installed. */
function commandsOf(root, name) {
  const manifest = join(root, 'test/node_modules', name, 'package.json');
  if (!existsSync(manifest)) return [];
  const { bin = {} } = readJson(manifest);
  return typeof bin === 'string' ? [basename(name)] : Object.keys(bin);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
