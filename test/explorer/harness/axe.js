/** Finds accessibility problems. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the findings of axe-core for the current page.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
export async function axeFindings(page) {
  // The policy of the page allows only its own script: this one is run from outside.
  const { violations } = await page.evaluate(`${SOURCE}; axe.run({ resultTypes: ['violations'] })`);
  return violations.map((/** @type {any} */ { id, nodes }) => {
    const places = nodes.map((/** @type {any} */ { html, any, all }) => {
      const reasons = [...any, ...all].map((/** @type {any} */ { message }) => message);
      return `${html.slice(0, 200)} ${reasons.join('; ')}`;
    });
    return `${id}: ${places.join(' | ')}`;
  });
}
