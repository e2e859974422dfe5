/** Writes the pictures of the documents: `--screenshots`. */

import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holds } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';

const FOLDER = fileURLToPath(new URL('../../../docs/explorer/', import.meta.url));
const BYTES = 100_000;

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  /** @type {readonly (readonly [string, string, import('../harness/browser.js').Options])[]} */
  const pictures = [
    ['overview', '', {}],
    ['transaction', `tx/${history.failed}`, {}],
    ['contract', `address/${history.shop}`, { scheme: 'dark' }],
    ['tools', 'tools', {}],
    ['phone', `tx/${history.bought}`, { width: 360, height: 720 }],
  ];
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, route, options] of pictures) {
    await checks.check(name, async () => {
      const { page, close } = await openPage(browser, node.url, { height: 800, ...options });
      try {
        await show(page, node.url, route);
        if (name === 'contract') await page.getByRole('tab', { name: 'Read and write' }).click();
        const path = join(FOLDER, `${name}.png`);
        await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
        holds(statSync(path).size < BYTES, `${path} has ${readFileSync(path).length} bytes`);
      } finally {
        await close();
      }
    });
  }
}
