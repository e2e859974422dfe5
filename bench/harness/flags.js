/** The flags of a benchmark. */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The program that is measured unless another one is named. */
export const PROGRAM = fileURLToPath(new URL('../../bin/ledgerd.js', import.meta.url));

/**
 * Returns the default output folder of a benchmark.
 *
 * @param {string} name of the benchmark
 */
export function outputOf(name) {
  return fileURLToPath(new URL(`../build/${name}`, import.meta.url));
}

/**
 * Reads the flags of the command line, each with the type of its default.
 *
 * @template {Readonly<Record<string, string | number | boolean>>} T
 * @param {T} defaults an empty text stands for a flag that was not given
 * @returns {{ [K in keyof T]: T[K] extends number ? number : T[K] extends boolean ? boolean : string }}
 * @throws {Error} for a flag that is unknown, and for what is no number where one is expected
 */
export function readFlags(defaults) {
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        { type: typeof value === 'boolean' ? 'boolean' : 'string' },
      ]),
    ),
  });
  const read = Object.entries(defaults).map(([name, value]) => {
    const given = values[name] ?? value;
    return [name, typeof value === 'number' ? toNumber(name, given) : given];
  });
  return Object.fromEntries(read);
}

/**
 * @param {string} name
 * @param {unknown} text
 */
function toNumber(name, text) {
  const number = text === '' ? Number.NaN : Number(text);
  if (!(number >= 0)) throw new Error(`--${name} takes a number from 0 on, not "${text}"`);
  return number;
}

/**
 * The numbers of a list that is divided by commas.
 *
 * @param {string} text
 */
export function numbersOf(text) {
  return text.split(',').map(Number);
}
