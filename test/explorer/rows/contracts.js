/** A contract is called and sent to by its interface: the one that the node knows, or one that is pasted. */

import { holds, same } from '../../tools/harness/checks.js';
import { axeFindings } from '../harness/axe.js';
import { openPage } from '../harness/browser.js';
import { openContract } from '../harness/contract-view.js';
import { shopContract } from '../harness/contracts.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, history }) {
  const { page, problems, close } = await openPage(browser, node.url);
  const opened = (/** @type {string} */ name) => openFunction(page, name);
  try {
    await checks.check('an interface that is pasted', async () => {
      await openContract(page, node.url, history.shop);
      const paste = page.getByRole('region', { name: 'Interface', exact: true });
      await paste.getByLabel('ABI').fill('{');
      await paste.getByRole('button', { name: 'Use this ABI' }).click();
      await paste.getByText('no JSON').waitFor();
      await paste
        .getByLabel('ABI')
        .fill('[{"type": "function", "name": "f", "inputs": [{"type": "uint7"}]}]');
      await paste.getByRole('button', { name: 'Use this ABI' }).click();
      await page.getByText('unknown type "uint7"').waitFor();
      await paste.getByLabel('ABI').fill(JSON.stringify({ abi: shopContract().abi }));
      await paste.getByRole('button', { name: 'Use this ABI' }).click();
      await page.getByRole('region', { name: 'Read', exact: true }).waitFor();
    });
    await checks.check('a read of simple types', async () => {
      await call(await opened('sign()'), 'Call', /open/);
      const form = await opened('bought(address)');
      await form.getByRole('textbox').fill(history.accounts[0] ?? '');
      await call(form, 'Call', /^.*3/s);
    });
    await checks.check('structs, arrays and small numbers go there and come back', async () => {
      const form = await opened('echo(');
      const fields = form.getByRole('textbox');
      await fields
        .nth(0)
        .fill('[{to: 1.2.1024, amounts: [1, 2, 1e18], note: "a, \\"b\\""}, (1.11.0, [], "")]');
      await fields.nth(1).fill('[0x01020304, 0xffffffff]');
      await fields.nth(2).fill('-128');
      await call(form, 'Call', /1000000000000000000/);
      const text = await form.innerText();
      for (const part of ['a, \\"b\\"', '0xffffffff', '-128'])
        holds(text.includes(part), `${part} is not in ${text}`);
    });
    await checks.check('a wrong value is named, with its place', async () => {
      const form = await opened('echo(');
      await form.getByRole('textbox').nth(0).fill('[{to: 1.2.1024, amounts: [1, -2], note: ""}]');
      await call(form, 'Call', /orders\[0\]\.amounts\[1\]: out of the range of uint256/);
      same(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'input0', 'the focus');
    });
    await checks.check('why a call fails: text, panic and custom error', async () => {
      const fail = await opened('fail(string)');
      await fail.getByRole('textbox').fill('not <today>');
      await call(fail, 'Call', /execution reverted: not <today>/);
      const divide = await opened('divide(uint256)');
      await divide.getByRole('textbox').fill('0');
      await call(divide, 'Call', /division or modulo by zero/);
      const buy = await opened('buy(uint256,string)');
      await buy.getByRole('textbox').nth(0).fill('1000');
      await buy.getByRole('textbox').nth(1).fill('no');
      await call(buy, 'Send', /TooMuch\(asked: 1000, left: 97, why: "no"\)/);
    });
    await checks.check('a transaction with an amount, and what it logged', async () => {
      const form = await opened('buy(uint256,string)');
      await form
        .getByRole('combobox')
        .first()
        .selectOption(history.accounts[2] ?? '');
      await form.getByRole('textbox').nth(0).fill('2');
      await form.getByRole('textbox').nth(1).fill('two pears');
      await form.getByLabel('Amount', { exact: true }).last().fill('12');
      await call(form, 'Send', /Ordered\(.*note: two pears\)/s);
      same(BigInt(await node.call('eth_getBalance', history.shop, 'latest')), 12n, 'the balance');
    });
    await checks.check('an interface that the node is told of is there for the next', async () => {
      await openContract(page, node.url, history.shop);
      const paste = page.getByRole('region', { name: 'Interface', exact: true });
      await paste.getByLabel('ABI').fill(JSON.stringify(shopContract().abi));
      await paste.getByLabel('Submit it to the node, too').check();
      await paste.getByRole('button', { name: 'Use this ABI' }).click();
      await paste.getByText('known to the node').waitFor();
      same((await node.call('ledger_getArtifact', history.shop)).name, 'Shop', 'the name that the node had');
    });
    await checks.check('hostile names are text, and their functions can be called', async () => {
      await openContract(page, node.url, history.hostileShop);
      const paste = page.getByRole('region', { name: 'Interface', exact: true });
      const name = '<img src=x onerror=window.attacked=1>\u202e';
      const abi = [
        { type: 'function', name, stateMutability: 'view', inputs: [{ name, type: 'uint8' }], outputs: [] },
      ];
      await paste.getByLabel('ABI').fill(JSON.stringify(abi));
      await paste.getByRole('button', { name: 'Use this ABI' }).click();
      const form = await opened('<img src=x');
      await form.getByRole('textbox').fill('256');
      await call(form, 'Call', /out of the range of uint8/);
      const made = await page.locator('main img').count();
      same(made, 0, 'elements');
      holds(!/\u202e/.test((await page.locator('main').textContent()) ?? ''), 'the direction is turned');
    });
    await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  } finally {
    await close();
  }
  await checks.check('with every form open nobody is shut out, and nothing scrolls at 360 px', async () => {
    const phone = await openPage(browser, node.url, { width: 360 });
    try {
      await openContract(phone.page, node.url, history.shop);
      const paste = phone.page.getByRole('region', { name: 'Interface', exact: true });
      await paste.getByLabel('ABI').fill(JSON.stringify(shopContract().abi));
      await paste.getByRole('button', { name: 'Use this ABI' }).click();
      await phone.page.getByRole('region', { name: 'Write', exact: true }).waitFor();
      for (const summary of await phone.page.locator('.function > summary').all()) await summary.click();
      same(await axeFindings(phone.page), [], 'axe-core');
      const isWide = await phone.page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      same(isWide, false, 'beyond the width');
    } finally {
      await phone.close();
    }
  });
}

/**
 * Opens the form of a function.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name which its signature begins with
 */
async function openFunction(page, name) {
  const folded = page
    .locator('.function')
    .filter({ has: page.locator('summary', { hasText: name }) })
    .first();
  if ((await folded.getAttribute('open')) === null) await folded.locator('summary').click();
  return folded.locator('form');
}

/**
 * @param {import('playwright-core').Locator} form
 * @param {string} button
 * @param {RegExp} expected
 */
async function call(form, button, expected) {
  await form.getByRole('button', { name: button }).click();
  await form
    .locator('.outcome[aria-busy="false"]')
    .filter({ hasText: expected })
    .waitFor()
    .catch(async (error) => {
      const text = await form.locator('.outcome').innerText();
      throw new Error(`expected ${expected}, and it says: ${text}`, { cause: error });
    });
}
