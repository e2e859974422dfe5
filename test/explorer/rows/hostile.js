/** Checks that texts in the chain are shown as text, whatever they contain. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';
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
        await eachPart(page, async (part) => {
          const state = await page.evaluate(inspect);
          const expected = { made: 0, scripts: 0, wide: [], turned: '' };
          same(state, expected, `${route.slice(0, 90)} ${part}`);
        });
      }
      same(problems, [], 'what happened');
    } finally {
      await close();
    }
  });
  await checks.check('notes, reasons and lines are shown as they are', async () => {
    const { page, close } = await openPage(browser, node.url);
    try {
      for (const hash of history.hostile.slice(0, 3)) {
        await show(page, node.url, `tx/${hash}`);
        let text = '';
        await eachPart(page, async () => {
          text += await page.locator('main').textContent();
        });
        holds(text.includes(HOSTILE.image), `${HOSTILE.image} is not in: ${text.slice(0, 3_000)}`);
      }
    } finally {
      await close();
    }
  });
}

/** Checks that foreign text had no effect. */
function inspect() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const main = document.querySelector('main');
  const text = main?.textContent ?? '';
  const turned = /[\u202a-\u202e\u2066-\u2069]/.exec(text);
  return {
    // @ts-expect-error what the hostile texts would set
    attacked: window.attacked,
    made: document.querySelectorAll('main img, main script, #hostile, main [onerror]').length,
    scripts: [...document.querySelectorAll('main a[href]')].filter((link) =>
      /^\s*javascript:/i.test(link.getAttribute('href') ?? ''),
    ).length,
    wide:
      scrollWidth <= clientWidth
        ? []
        : [...document.querySelectorAll('main *')]
            .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
            .map(({ tagName, className }) => `${tagName.toLowerCase()}.${className}`)
            .slice(0, 8),
    turned: turned === null ? '' : text.slice(Math.max(0, turned.index - 40), turned.index + 20),
  };
}

/**
 * Looks at every tab of a view, with everything in it that is folded open.
 *
 * @param {import('playwright-core').Page} page
 * @param {(part: string) => Promise<void>} look
 */
async function eachPart(page, look) {
  const tabs = await page.locator('[role="tab"]').count();
  for (let index = 0; index < Math.max(1, tabs); index += 1) {
    let part = '';
    if (tabs > 0) {
      const tab = page.locator('[role="tab"]').nth(index);
      part = await tab.innerText();
      await tab.click();
      await settled(page);
    }
    const expand = page.getByRole('button', { name: 'Expand all' });
    if ((await expand.count()) > 0) await expand.click();
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll('main details')) folded.setAttribute('open', '');
    });
    await settled(page);
    await look(part);
  }
}
