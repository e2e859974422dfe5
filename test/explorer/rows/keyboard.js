/** The keyboard alone is enough. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';

/** Presses of the tabulator after which something that can be reached has been reached. */
const PRESSES = 200;

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  const { page, close } = await openPage(browser, node.url);
  await checks.check('the first key leads to the content', async () => {
    await show(page, node.url, '');
    await page.keyboard.press('Tab');
    same(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content', 'the first');
    await page.keyboard.press('Enter');
    same(await page.evaluate(() => document.activeElement?.id), 'content', 'the focus');
  });
  await checks.check(
    'a slash begins a search, Enter goes there, and the focus is on the heading',
    async () => {
      await show(page, node.url, '');
      await page.keyboard.press('/');
      await page.keyboard.type('1.2.1024');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => location.hash.startsWith('#/address/'));
      await settled(page);
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    },
  );
  await checks.check('a block by its link in the list', async () => {
    await show(page, node.url, '');
    await press(page, () => /^#\/block\/\d+$/.test(document.activeElement?.getAttribute('href') ?? ''));
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/block/'));
  });
  await checks.check('every field and button of the tools is reached in the order of the page', async () => {
    await show(page, node.url, 'tools');
    const expected = await page.locator('main :is(input, select, textarea, button, a[href])').count();
    const places = new Set();
    let last = -1;
    for (let presses = 0; presses < PRESSES; presses += 1) {
      await page.keyboard.press('Tab');
      const place = await page.evaluate(() =>
        [...document.querySelectorAll('main :is(input, select, textarea, button, a[href])')].indexOf(
          /** @type {Element} */ (document.activeElement),
        ),
      );
      if (place < 0 && places.size > 0) break;
      if (place < 0) continue;
      holds(place > last, `${place} follows ${last}`);
      last = place;
      places.add(place);
    }
    same(places.size, expected, 'reached');
  });
  await checks.check('the focus is always seen', async () => {
    await show(page, node.url, 'tools');
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      const style = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(
          /** @type {Element} */ (document.activeElement),
        );
        return `${outlineStyle} ${outlineWidth} ${document.activeElement?.outerHTML.slice(0, 80)}`;
      });
      // Behind the last the focus is the browser's own.
      if (style.includes('<body')) continue;
      holds(/^(solid|auto) [1-9]/.test(style), style);
    }
  });
  await checks.check('tabs by arrows', async () => {
    await show(page, node.url, `tx/${history.bought}`);
    const tabs = page.locator('[role="tab"]');
    const count = await tabs.count();
    holds(count > 1, `there are ${count} tabs`);
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      () => document.querySelectorAll('[role="tab"]')[1]?.getAttribute('aria-selected') === 'true',
    );
    same(await page.evaluate(() => document.activeElement?.getAttribute('aria-selected')), 'true', 'focus');
  });
  await close();
}

/**
 * Presses the tabulator until something is so.
 *
 * @param {import('playwright-core').Page} page
 * @param {() => boolean} condition
 */
async function press(page, condition) {
  for (let presses = 0; presses < PRESSES; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(condition)) return;
  }
  throw new Error(`not reached with ${PRESSES} presses of the tabulator`);
}
