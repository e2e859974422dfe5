/** Everybody can use it: axe-core finds nothing in any view, light or dark, on a desk or on a phone. */

import { createRequire } from 'node:module';
import { same } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';
import { viewsOf } from '../harness/views.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  const views = viewsOf(history);
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    for (const width of [1280, 360]) {
      const { page, close } = await openPage(browser, node.url, { width, scheme });
      for (const { name, route } of views) {
        await checks.check(`${name}, ${scheme}, ${width} px`, async () => {
          await show(page, node.url, route);
          same(await findings(page), [], 'axe-core');
        });
      }
      await close();
    }
  }
}

/**
 * What axe-core finds in the page as it stands.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
async function findings(page) {
  const { readFileSync } = await import('node:fs');
  // The policy of the page allows no script but its own: this one is run from outside of it.
  const found = await page.evaluate(`${readFileSync(AXE, 'utf8')}; axe.run({ resultTypes: ['violations'] })`);
  return /** @type {any} */ (found).violations.map(
    (/** @type {any} */ { id, nodes }) =>
      `${id}: ${nodes.map((/** @type {any} */ { html, any, all }) => `${html.slice(0, 200)} ${[...any, ...all].map((/** @type {any} */ { message }) => message).join('; ')}`).join(' | ')}`,
  );
}
