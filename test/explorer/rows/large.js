/** However much there is of something, the page has few elements of it at a time. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';
import { makeFloods } from '../harness/floods.js';

/** Elements of the content of any view. */
const ELEMENTS_MAX = 2_500;

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node }) {
  const floods = await makeFloods(node);
  const { page, problems, close } = await openPage(browser, node.url);
  /** @type {readonly (readonly [string, string, RegExp])[]} */
  const views = [
    ['events of a contract with 9,000 logs', `address/${floods.logger}/events`, /8999/],
    [
      'events of a contract with too many logs for one response',
      `address/${floods.unlisted}/events`,
      /18999/,
    ],
    ['an operation with 19,000 logs', `tx/${floods.logged}/logs`, /1–25 of 19.000/],
    ['an operation with 5,000 lines', `tx/${floods.said}/console`, /5000/],
    ['an operation that wrote 700 slots', `tx/${floods.stored}/state`, /slot/],
    ['a contract with 700 slots', `address/${floods.keeper}/storage`, /0x/],
    ['calls of an operation that makes 5,000', `tx/${floods.said}/calls`, /of 5.00/],
    ['calls inside of each other', `tx/${floods.dived}/calls`, /CALL/],
    ['steps of calls inside of each other', `tx/${floods.dived}/steps`, /CALL/],
    ['a block of 1,000 transfers', `block/${floods.crowded}`, /1–25 of 1.000/],
    ['the overview after it', '', /Latest operations/],
  ];
  for (const [what, route, shows] of views) {
    await checks.check(what, async () => {
      await show(page, node.url, route);
      await page.locator('main').filter({ hasText: shows }).waitFor();
      await bounded(page);
    });
  }
  await checks.check('older and newer events: every log once', async () => {
    for (const contract of [floods.logger, floods.unlisted]) await turnEvents(page, node.url, contract);
  });
  await checks.check('all calls inside of each other are there, page by page', async () => {
    await show(page, node.url, `tx/${floods.dived}/calls`);
    await page.getByRole('button', { name: 'Expand all' }).click();
    await bounded(page);
    const range = await page.getByRole('navigation', { name: 'Pages' }).innerText();
    const count = Number(/of\s(\d+)/.exec(range)?.[1]);
    holds(count > 400, `${count} calls`);
    const levels = new Set();
    for (let pages = 0; pages <= count; pages += 1) {
      for (const level of await page.locator('.call-depth').allInnerTexts()) levels.add(level);
      await bounded(page);
      const next = page.getByRole('button', { name: 'Next' });
      if (await next.isDisabled()) break;
      await next.click();
    }
    same(levels.size, count, 'levels');
  });
  await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  await close();
}

/** Goes two pages back and one forward in the events of a contract. */
async function turnEvents(
  /** @type {import('playwright-core').Page} */ page,
  /** @type {string} */ url,
  /** @type {string} */ contract,
) {
  await show(page, url, `address/${contract}/events`);
  const seen = [];
  for (const direction of ['Older', 'Older', 'Newer']) {
    await page.locator('.log').first().waitFor();
    seen.push(await page.locator('.log-head > :first-child').allInnerTexts());
    await page.getByRole('button', { name: direction }).click();
    await settled(page);
    await bounded(page);
  }
  const [first = [], second = [], third = []] = seen;
  const numbers = [...first, ...second, ...third].map(Number);
  const newest = numbers[0] ?? 0;
  same(
    numbers,
    Array.from(numbers, (_, index) => newest - index),
    'logs',
  );
  same(await page.locator('.log-head > :first-child').allInnerTexts(), second, 'the second page again');
}

/** Checks how many elements the content has. */
async function bounded(/** @type {import('playwright-core').Page} */ page) {
  const count = await page.locator('main *').count();
  holds(count <= ELEMENTS_MAX, `the content has ${count} elements`);
}
