/** Runs a test of configurable duration in a separate Vitest. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/**
 * Reads the integer options of the command line; the default seed comes from the clock.
 *
 * @param {{ readonly [name: string]: number }} numbers the options, each with its default
 * @returns {Record<string, number> | undefined} undefined for an invalid option, which is reported
 */
export function readNumbers(numbers) {
  const defaults = { ...numbers, seed: Math.floor(Date.now() / 1_000) };
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: /** @type {const} */ ('string') }]),
  );
  /** @type {Record<string, string | boolean | undefined>} */
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    const names = Object.keys(defaults).map((name) => `--${name} N`);
    console.error(`${error instanceof Error ? error.message : error}\nOptions: ${names.join(', ')}`);
    return undefined;
  }
  /** @type {Record<string, number>} */
  const read = {};
  for (const [name, number] of Object.entries(defaults)) {
    const value = String(values[name] ?? number);
    if (!/^\d{1,10}$/.test(value)) {
      console.error(`--${name} takes a whole number, got ${value}`);
      return undefined;
    }
    read[name] = Number(value);
  }
  return read;
}

/**
 * Runs a test file with the integer options of the command line.
 *
 * @param {string} file path of the test below the project's folder
 * @param {string} prefix of the environment variables that pass the options to the test
 * @param {{ readonly [name: string]: number }} numbers the options, each with its default
 * @returns {number} the exit status
 */
export function runLongTest(file, prefix, numbers) {
  const read = readNumbers(numbers);
  if (read === undefined) return 1;
  const variables = Object.fromEntries(
    Object.entries(read).map(([name, number]) => [`${prefix}_${name.toUpperCase()}`, String(number)]),
  );
  const words = ['run', file, '--disable-console-intercept', '--reporter=dot'];
  const env = { ...process.env, ...variables };
  return spawnSync(process.execPath, [VITEST, ...words], { cwd: ROOT, stdio: 'inherit', env }).status ?? 1;
}
