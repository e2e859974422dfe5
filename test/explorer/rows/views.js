/** Every view: what it shows, without errors, violations of its policy, or anything beyond the width of a phone. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';
import { makeHistory } from '../harness/history.js';
import { startNode } from '../harness/node.js';
import { viewsOf } from '../harness/views.js';

/** Widths of a small phone, of a tablet and of a desk. */
const WIDTHS = [360, 768, 1280];

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  await checks.check('the policy, and that nothing may be kept of the page but its files', async () => {
    const response = await fetch(node.url, { headers: { accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ]) {
      holds(policy.includes(part), `${part} is not in ${policy}`);
    }
    holds(!/unsafe/.test(policy), policy);
    same(response.headers.get('cache-control'), 'no-cache', 'cache-control');
    same(response.headers.get('x-content-type-options'), 'nosniff', 'x-content-type-options');
  });
  for (const view of viewsOf(history)) {
    await checks.check(view.name, () => look(browser, node.url, view, WIDTHS));
  }
  // The same operations on a chain that knows Ethereum, where the page speaks the other profile.
  const ethereum = await startNode('--ethereum');
  try {
    const made = await makeHistory(ethereum);
    for (const view of viewsOf(made)) {
      await checks.check(`ethereum: ${view.name}`, () => look(browser, ethereum.url, view, [WIDTHS[0]]));
    }
  } finally {
    await ethereum.stop();
  }
}

/**
 * Shows a view at some widths.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('../harness/views.js').View} view
 * @param {readonly number[]} widths
 */
async function look(browser, url, { route, shows }, widths) {
  for (const width of widths) {
    const { page, problems, close } = await openPage(browser, url, { width });
    try {
      await show(page, url, route);
      const main = page.locator('main');
      // Names of contracts come with answers of their own.
      await main
        .filter({ hasText: shows })
        .waitFor()
        .catch(async (error) => {
          throw new Error(`${shows} is not in: ${await main.innerText()}`, { cause: error });
        });
      const wide = await page.evaluate(widest);
      holds(wide.excess <= 0, `at ${width} px it scrolls by ${wide.excess} px: ${wide.elements.join(', ')}`);
      same(problems, [], 'what happened');
    } finally {
      await close();
    }
  }
}

/** How far the page is wider than the window, and what reaches beyond it. */
function widest() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const excess = scrollWidth - clientWidth;
  const elements = [...document.querySelectorAll('main *, header *, footer *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map(({ tagName, className }) => `${tagName.toLowerCase()}.${className}`)
    .slice(0, 8);
  return { excess, elements };
}
