/** What others have written into the chain is shown as text, whatever it is. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';
import { HOSTILE } from '../harness/history.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  const routes = [
    ...history.hostile.map((hash) => `tx/${hash}`),
    ...['', '/contract', '/events', '/storage', '/operations', '/code'].map(
      (part) => `address/${history.hostileShop}${part}`,
    ),
    ...Object.values(HOSTILE).map((text) => `search/${encodeURIComponent(text)}`),
    ...Object.values(HOSTILE).map((text) => `tx/${encodeURIComponent(text)}`),
    ...Object.values(HOSTILE).map((text) => `address/${encodeURIComponent(text)}`),
    ...Object.values(HOSTILE).map((text) => encodeURIComponent(text)),
  ];
  await checks.check('names, notes, reasons, lines and addresses of the page stay text', async () => {
    const { page, problems, close } = await openPage(browser, node.url, { width: 360 });
    try {
      for (const route of routes) {
        await show(page, node.url, route);
        await openEverything(page);
        const state = await page.evaluate(() => ({
          // @ts-expect-error what the hostile texts would set
          attacked: window.attacked,
          made: document.querySelectorAll('main img, main script, #hostile, main [onerror]').length,
          scripts: [...document.querySelectorAll('main a[href]')].filter((link) =>
            /^\s*javascript:/i.test(link.getAttribute('href') ?? ''),
          ).length,
          isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
          turned: /[\u202a-\u202e\u2066-\u2069]/.test(document.querySelector('main')?.textContent ?? ''),
        }));
        same(state, { made: 0, scripts: 0, isWide: false, turned: false }, route.slice(0, 90));
      }
      same(problems, [], 'what happened');
    } finally {
      await close();
    }
  });
  await checks.check('a hostile note is shown as it is', async () => {
    const { page, close } = await openPage(browser, node.url);
    try {
      await show(page, node.url, `tx/${history.hostile[0]}`);
      await openEverything(page);
      const text = (await page.locator('main').textContent()) ?? '';
      holds(text.includes(HOSTILE.image), `the note is not in: ${text.slice(0, 2_000)}`);
    } finally {
      await close();
    }
  });
}

/**
 * Opens every tab and what is folded.
 *
 * @param {import('playwright-core').Page} page
 */
async function openEverything(page) {
  const tabs = await page.locator('[role="tab"]').count();
  for (let index = 0; index < Math.max(1, tabs); index += 1) {
    if (tabs > 0) {
      await page.locator('[role="tab"]').nth(index).click();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
    }
    for (const summary of await page.locator('main details:not([open]) > summary').all())
      await summary.click();
  }
}
