/** The program of Debian's Chromium. Imports no package, for other suites use it too. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Returns the browser's program.
 *
 * @param {string} given path of it; empty to look for it
 * @returns {string}
 * @throws {Error} that says how to get it
 */
export function findChromium(given) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places =
    given === '' ? NAMES.flatMap((name) => folders.map((folder) => join(folder, name))) : [given];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  const where = given === '' ? `no ${NAMES.join(', ')} on the path` : `nothing at ${given}`;
  throw new Error(
    `there is ${where}: install one (Debian: apt-get install chromium), or name one with --chromium PATH`,
  );
}
