/** Checks every view: its content, without errors, policy violations, or overflow on a phone. */

import { call } from '../../rpc-client.js';
import { holds, same } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';
import { makeHistory } from '../harness/history.js';
import { startNode } from '../harness/node.js';
import { viewsOf } from '../harness/views.js';

/** Widths of a small phone, of a tablet, of a window, of a desktop and of a large one. */
const WIDTHS = [360, 768, 1200, 1400, 1920];

/** Names of the parts of a page, beside the forms of the tools. */
const LABELS =
  'nav a, main :is(h1, h2, .kind, th, dt, [role="tab"], .gauge strong, .gauge small, .badge), label';

/** Words that a chain with Ethereum has others for. */
const NATIVE_WORDS = new RegExp(
  [
    '^(operations?|what|with|charged|height|well|0 peers|newest .*|a second, over ten|between two blocks',
    'blocks come|for each transaction at once|what time is it.?|succeeded|before it|its key|state of .*',
    'ethereum transaction.*|call)$',
  ].join('|'),
  'i',
);

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
    await sendEther(ethereum);
    for (const view of viewsOf(made)) {
      await checks.check(`ethereum: ${view.name}`, () => look(browser, ethereum.url, view, [360, 1400]));
    }
    await checks.check('ethereum: the words of wallets, and none of the native ledger', async () => {
      const { page, close } = await openPage(browser, ethereum.url);
      try {
        for (const { name, route, shows } of viewsOf(made)) {
          await show(page, ethereum.url, route);
          await page.locator('main').filter({ hasText: shows }).waitFor();
          const labels = await page.locator(LABELS).allInnerTexts();
          same(
            labels.filter((label) => NATIVE_WORDS.test(label.trim())),
            [],
            name,
          );
        }
      } finally {
        await close();
      }
    });
  } finally {
    await ethereum.stop();
  }
}

/** Sends amounts that are long in ether, so that the newest operations have them. */
async function sendEther(/** @type {import('../harness/node.js').Node} */ { url }) {
  const profile = `${url}/ethereum`;
  const [from, to] = await call(profile, 'eth_accounts');
  for (const value of [1n, 123_456_789n, 10n ** 18n + 1n, 1_234n * 10n ** 18n + 123_456_789_012_345_678n]) {
    const hash = await call(profile, 'eth_sendTransaction', { from, to, value: `0x${value.toString(16)}` });
    holds(typeof hash === 'string', `${value} wei were not sent`);
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
      // Names of contracts come with later responses.
      await main
        .filter({ hasText: shows })
        .waitFor()
        .catch(async (error) => {
          throw new Error(`${shows} is not in: ${await main.innerText()}`, { cause: error });
        });
      const wide = await page.evaluate(widest);
      holds(wide.excess <= 0, `at ${width} px it scrolls by ${wide.excess} px: ${wide.elements.join(', ')}`);
      same(await page.evaluate(misfits), [], `at ${width} px`);
      same(problems, [], 'what happened');
    } finally {
      await close();
    }
  }
}

/** Returns the width of the page beyond the window, and the elements that cause it. */
function widest() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const excess = scrollWidth - clientWidth;
  const elements = [...document.querySelectorAll('main *, header *, footer *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map(({ tagName, className }) => `${tagName.toLowerCase()}.${className}`)
    .slice(0, 8);
  return { excess, elements };
}

/** Finds tables that are wider than their container, and broken words. */
function misfits() {
  const wide = [...document.querySelectorAll('main table:not(.changes)')]
    .filter((table) => {
      const around = table.closest('.card');
      return (
        around !== null && table.getBoundingClientRect().right > around.getBoundingClientRect().right + 1
      );
    })
    .map((table) => `wide: ${table.querySelector('caption')?.textContent}`);
  const broken = [...document.querySelectorAll('main .word, main .amount')]
    .filter((word) => {
      const range = document.createRange();
      range.selectNodeContents(word);
      return (
        word.closest('td') !== null && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
      );
    })
    .map((word) => `broken: ${word.textContent}`);
  return [...wide, ...broken];
}
