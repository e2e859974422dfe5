/** Writes the pictures of the documents: `--screenshots`. */

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holds } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';

const FOLDER = fileURLToPath(new URL('../../../docs/explorer/', import.meta.url));
const BYTES = 100_000;

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, route, options, prepare } of picturesOf(node, history)) {
    await checks.check(name, async () => {
      const { page, close } = await openPage(browser, node.url, { width: 1120, height: 700, ...options });
      try {
        await show(page, node.url, route);
        await prepare?.(page);
        const path = join(FOLDER, `${name}.png`);
        await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
        holds(statSync(path).size < BYTES, `${path} has ${statSync(path).size} bytes`);
      } finally {
        await close();
      }
    });
  }
}

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {string} route
 * @property {import('../harness/browser.js').Options} [options]
 * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare]
 */

/**
 * @param {import('../harness/node.js').Node} node
 * @param {import('../harness/history.js').History} history
 * @returns {readonly Picture[]}
 */
function picturesOf(node, history) {
  return [
    {
      name: 'overview',
      route: '',
      options: { width: 1280, height: 560 },
      prepare: () => sendSome(node, history),
    },
    {
      name: 'transaction',
      route: `tx/${history.bought}`,
      prepare: async (page) => {
        await page.getByRole('tab', { name: 'Calls' }).click();
        await settled(page);
        await page
          .getByRole('tab', { name: 'Calls' })
          .evaluate((tab) => tab.scrollIntoView({ block: 'center' }));
      },
    },
    {
      name: 'contract',
      route: `address/${history.shop}`,
      options: { scheme: 'dark' },
      prepare: async (page) => {
        await page.getByRole('tab', { name: 'Read and write' }).click();
        const folded = page.locator('.function').filter({ hasText: 'bought(address)' });
        await folded.locator('summary').click();
        await folded.getByRole('textbox').fill('1.2.1024');
        await folded.getByRole('button', { name: 'Call' }).click();
        await folded.locator('.outputs').waitFor();
        await folded.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      },
    },
    { name: 'tools', route: 'tools' },
    { name: 'phone', route: `tx/${history.bought}`, options: { width: 360, height: 700 } },
  ];
}

/** Sends transactions, so that the figures are not empty. */
async function sendSome(
  /** @type {import('../harness/node.js').Node} */ node,
  /** @type {any} */ { accounts },
) {
  for (let count = 0; count < 25; count += 1) {
    const [from, to] = [accounts[count % accounts.length], accounts[(count * 3 + 1) % accounts.length]];
    await node.call('eth_sendTransaction', { from, to, value: `0x${(1_000 * (count + 1)).toString(16)}` });
    await new Promise((done) => setTimeout(done, 100));
  }
}
