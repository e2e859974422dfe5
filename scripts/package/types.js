/** Copies the declarations of the package's modules out of `dist/`, in the form of CommonJS, which the modules are. */

import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A declaration that another one imports by a relative path. */
const IMPORT = /(from\s+')(\.{1,2}\/[^']+)\.(?:ts|js)'/g;

/**
 * Returns the declarations of the modules and of all that they import.
 *
 * @param {string} root the checkout, which is built
 * @returns {Map<string, string>} texts by their paths below the folder of types
 */
export function packageTypes(root) {
  const texts = new Map();
  const paths = new Set(['library/index', 'native/index']);
  for (const path of paths) {
    const text = readFileSync(join(root, 'dist', `${path}.d.ts`), 'utf8');
    for (const [, , imported] of text.matchAll(IMPORT)) paths.add(normalize(join(dirname(path), imported)));
    texts.set(`${path}.d.cts`, text.replaceAll(IMPORT, "$1$2.cjs'"));
  }
  return texts;
}
