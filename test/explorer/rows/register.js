/** An account for a proof of work that the browser does. */

import { holds, same } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';
import { startNode } from '../harness/node.js';

/** Zero bits that some hundred thousand hashes find, and that nobody finds. */
const SOME_BITS = '16';
const TOO_MANY_BITS = '64';
/** Polling interval for the end of the workers of a search. */
const LOOK_MS = 50;

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser }) {
  const node = await startNode('--registration-difficulty', SOME_BITS);
  const { page, problems, close } = await openPage(browser, node.url);
  const form = page.getByRole('region', { name: 'The account', exact: true });
  const press = (/** @type {string} */ name) => form.getByRole('button', { name }).click();
  try {
    await checks.check('a new key is registered, of which only the public half is sent', async () => {
      /** @type {string[]} */
      const sent = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await show(page, node.url, 'register');
      const [seed = '', key = ''] = await page.locator('.facts .mono').allInnerTexts();
      holds(/^0x[0-9a-f]{64}$/.test(seed) && key.startsWith('ECHO'), `${key}`);
      await form.getByLabel('Name').fill('made-in-a.browser');
      await press('Register');
      await form.getByText('save the private key first').waitFor();
      await form.getByLabel('I have saved the private key').check();
      await press('Register');
      const link = form.locator('a[href^="#/address/1.2."]');
      await link.waitFor({ timeout: 120_000 });
      const id = await link.innerText();
      const digits = seed.slice(2);
      holds(!sent.some((body) => body.includes(digits)), 'the private key was sent');
      const address = `0x${Number(id.split('.')[2]).toString(16).padStart(40, '0')}`;
      holds(
        sent.some((body) => body.includes(key)),
        'the public key was not sent',
      );
      same(BigInt(await node.call('eth_getBalance', address, 'latest')), 0n, 'the balance');
      await node.call('eth_sendTransaction', {
        from: (await node.call('eth_accounts'))[0],
        to: address,
        value: '0x1',
      });
    });
    await checks.check('what is taken or wrong is said before the work', async () => {
      await form.getByLabel('Name').fill('made-in-a.browser');
      await press('Register');
      await form.getByText('the account name made-in-a.browser is taken').waitFor();
      await form.getByLabel('Name').fill('Not A Name');
      await press('Register');
      await form.getByText('invalid account name').waitFor();
    });
    await checks.check("somebody's own key", async () => {
      await page.getByLabel('one of mine').check();
      await form.getByLabel('Name').fill('own-key');
      await form.getByLabel('Active key').fill('ECHO1');
      await press('Register');
      await form.getByText('expected a public key').waitFor();
      await form.getByLabel('Active key').fill('ECHOH6RpPu9kkdfxWrCmkCB8gVxgVpc36YhFLvsu6NWrSaBw');
      await press('Register');
      await form.locator('a[href^="#/address/1.2."]').waitFor({ timeout: 120_000 });
    });
    await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  } finally {
    await close();
    await node.stop();
  }
  await checks.check('the search shows how far it is, keeps the page awake, and can be stopped', async () => {
    const hard = await startNode('--registration-difficulty', TOO_MANY_BITS);
    const opened = await openPage(browser, hard.url);
    try {
      await show(opened.page, hard.url, 'register');
      const account = opened.page.getByRole('region', { name: 'The account', exact: true });
      await account.getByLabel('Name').fill('never-found');
      await account.getByLabel('I have saved the private key').check();
      await account.getByRole('button', { name: 'Register' }).click();
      await account.getByText(/[1-9]\d*.*hashes of/).waitFor();
      const rate = /([\d.]+) million a second/.exec(await account.innerText())?.[1] ?? '0';
      process.stderr.write(`        ${rate} million hashes a second\n`);
      await account.getByRole('button', { name: 'Stop' }).click();
      await account.getByText('Stopped: no account was registered').waitFor();
      while (opened.page.workers().length > 0) await new Promise((done) => setTimeout(done, LOOK_MS));
    } finally {
      await opened.close();
      await hard.stop();
    }
  });
}
