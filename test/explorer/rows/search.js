/** Whatever names something leads there; and the browser's own way back. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  const { page, problems, close } = await openPage(browser, node.url);
  const pending = `0x${'0'.repeat(24)}${history.transfer.slice(26)}`;
  /** @type {readonly (readonly [string, string, RegExp])[]} */
  const searches = [
    ['a number', '7', /^#\/block\/7$/],
    ['a hash of a block', history.headHash, new RegExp(`^#/block/${history.head}$`)],
    ['a hash of a transaction', history.transfer, new RegExp(`^#/tx/${history.transfer}`)],
    ['the hash that it had while it waited', pending, /^#\/tx\/0x0{8,}/],
    ['1.2.N', '1.2.1025', /^#\/address\/1\.2\.1025$/],
    ['1.11.N', '1.11.0', /^#\/address\/1\.11\.0$/],
    ['an address', history.accounts[1] ?? '', /^#\/address\/(1\.2\.1025|0x0+401)$/],
    ['a name', 'test-account-0', /^#\/address\//],
    ['nothing that there is', 'no-such-name', /^#\/search\/no-such-name$/],
    ['a number that is no block yet', '99999999', /^#\/(search|block)\/99999999$/],
  ];
  for (const [what, text, expected] of searches) {
    await checks.check(what, async () => {
      await show(page, node.url, '');
      await page.getByRole('combobox', { name: 'Search the chain' }).fill(text);
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        (/** @type {string} */ pattern) => new RegExp(pattern).test(location.hash),
        expected.source,
      );
      await settled(page);
    });
  }
  await checks.check('a name of a contract', async () => {
    await show(page, node.url, '');
    await page.getByRole('combobox', { name: 'Search the chain' }).fill('sHOP');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/address/1.11.0');
  });
  await checks.check('a name that two contracts share', async () => {
    await show(page, node.url, 'search/Stock');
    const found = page.getByRole('region', { name: 'Accounts and contracts of this name' });
    await found.getByRole('link').first().waitFor();
    const places = await found.getByRole('link').evaluateAll((links) => links.map(({ hash }) => hash));
    same(places.length, 2, 'contracts');
    holds(
      places.every((place) => /^#\/address\/1\.11\.\d+$/.test(place)),
      places.join(),
    );
  });
  await checks.check('back and forward, and the same after loading anew', async () => {
    await show(page, node.url, 'block/3');
    await show(page, node.url, 'block/4');
    const heading = () => page.locator('h1').innerText();
    const fourth = await heading();
    await page.goBack();
    await page.waitForFunction(
      (/** @type {string} */ before) => document.querySelector('h1')?.textContent !== before,
      fourth,
    );
    holds(/3/.test(await heading()), await heading());
    await page.goForward();
    await page.waitForFunction(() => document.querySelector('h1')?.textContent?.includes('4'));
    await page.reload();
    await settled(page);
    same(await heading(), fourth, 'the heading');
    holds(/4/.test(await page.title()), await page.title());
  });
  await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  await close();
}
