/** Everybody can use it: axe-core finds nothing in any view, light or dark, on a desktop or on a phone. */

import { same } from '../../tools/harness/checks.js';
import { axeFindings } from '../harness/axe.js';
import { openPage, show } from '../harness/browser.js';
import { viewsOf } from '../harness/views.js';

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
          same(await axeFindings(page), [], 'axe-core');
        });
      }
      await close();
    }
  }
}
