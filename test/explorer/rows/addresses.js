/** On a chain with Ethereum: addresses are written as its tools write them, and no account is shown that is none. */

import { call } from '../../rpc-client.js';
import { holds, same } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';
import { startNode } from '../harness/node.js';

/** Both have the form of an account's address; nobody has an account at the first. */
const DEAD = '0x000000000000000000000000000000000000dEaD';
const ACCOUNT = '0x0000000000000000000000000000000000000400';
const KEY = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser }) {
  const node = await startNode('--ethereum');
  try {
    await look(checks, browser, node);
  } finally {
    await node.stop();
  }
}

async function look(
  /** @type {import('../../tools/harness/checks.js').Checks} */ checks,
  /** @type {import('playwright-core').Browser} */ browser,
  /** @type {import('../harness/node.js').Node} */ node,
) {
  const { page, problems, close } = await openPage(browser, node.url);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const [from] = await call(`${node.url}/ethereum`, 'eth_accounts');
  const hashes = [];
  for (const to of [DEAD, ACCOUNT, KEY]) {
    hashes.push(await call(`${node.url}/ethereum`, 'eth_sendTransaction', { from, to, value: '0x5' }));
  }
  const receiver = () => page.locator('.facts > div').filter({ hasText: /^To/ }).getByRole('link');
  const expected = [
    [DEAD, DEAD],
    ['1.2.1024', '1.2.1024'],
    [KEY, KEY],
  ];
  for (const [index, [text, place]] of expected.entries()) {
    await checks.check(`a transfer to ${text}`, async () => {
      await show(page, node.url, `tx/${hashes[index]}`);
      await receiver().filter({ hasText: text }).waitFor();
      same(await receiver().getAttribute('href'), `#/address/${place}`, 'the link');
    });
  }
  await checks.check('an address that nobody has as an account is none in any list', async () => {
    await show(page, node.url, '');
    await page.getByRole('link', { name: '0x0000…dEaD' }).first().waitFor();
    await page.getByRole('link', { name: '1.2.1024' }).first().waitFor();
    const text = await page.locator('main').innerText();
    holds(!text.includes('1.2.57005'), text);
  });
  await checks.check('the page of an address, its copy, and its place', async () => {
    for (const typed of [DEAD, DEAD.toLowerCase(), `0x${DEAD.slice(2).toUpperCase()}`]) {
      await search(page, node.url, typed);
      same(await page.evaluate(() => location.hash), `#/address/${DEAD}`, 'the place');
      const text = await page.locator('main').innerText();
      holds(text.includes(DEAD) && !text.includes('1.2.57005'), text);
      same(await page.locator('.notice').count(), 0, 'hints');
    }
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    same(await page.evaluate(() => navigator.clipboard.readText()), DEAD, 'copied');
  });
  await checks.check('a wrong checksum gets a hint', async () => {
    await search(page, node.url, KEY.replace('aA', 'Aa'));
    await page.getByText('The checksum of this address is wrong').waitFor();
    holds((await page.locator('main').innerText()).includes(KEY), 'the right checksum is not shown');
  });
  await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  await close();
}

async function search(
  /** @type {import('playwright-core').Page} */ page,
  /** @type {string} */ url,
  /** @type {string} */ text,
) {
  await show(page, url, '');
  await page.getByRole('combobox', { name: 'Search the chain' }).fill(text);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/address/'));
  await settled(page);
}
