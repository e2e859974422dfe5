/**
 * Copies the declarations of the package's modules out of `dist/`, in the form of CommonJS, which the modules are,
 * except that of vitest's set-up.
 */

import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A declaration that another one imports by a relative path. */
const IMPORT = /(from\s+')(\.{1,2}\/[^']+)\.(?:ts|js)'/g;

/** The module of the package that is an ES module. Nothing imports it. */
const ES_MODULE = 'library/global-setup/vitest';

/**
 * Returns the declarations of the modules and of all that they import.
 *
 * @param {string} root the checkout, which is built
 * @returns {Map<string, string>} texts by their paths below the folder of types
 */
export function packageTypes(root) {
  const texts = new Map();
  const paths = new Set(['library/index', 'native/index', 'library/global-setup/jest', ES_MODULE]);
  for (const path of paths) {
    const text = readFileSync(join(root, 'dist', `${path}.d.ts`), 'utf8');
    for (const [, , imported] of text.matchAll(IMPORT)) paths.add(normalize(join(dirname(path), imported)));
    texts.set(`${path}.d.${path === ES_MODULE ? 'mts' : 'cts'}`, text.replaceAll(IMPORT, "$1$2.cjs'"));
  }
  return texts;
}
