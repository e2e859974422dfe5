/** Checks of the form that calls a node, with real nodes. */

import { openPage } from '../../test/explorer/harness/browser.js';
import { startNode } from '../../test/explorer/harness/node.js';
import { holds, same } from '../../test/tools/harness/checks.js';
import { picture } from './pages.js';

/**
 * @param {import('../../test/tools/harness/checks.js').Checks} checks
 * @param {import('./pages.js').World} world
 */
export async function checkForm(checks, world) {
  const { origin, foreignOrigin } = world;
  const node = await startNode('--ethereum');
  try {
    await checks.check('form: a call of a node in test mode, which needs no flag', async () => {
      const { text, problems } = await call(world, origin, node.url, {
        path: '/ethereum',
        method: 'eth_chainId',
      });
      holds(text.includes('"result": "0x7a69"'), `no chain id: ${text}`);
      same(others(problems, node.url), [], 'the problems');
    });
    await checks.check('form: the error of a wrong parameter', async () => {
      const { text } = await call(world, origin, node.url, {
        path: '/',
        method: 'eth_getBalance',
        params: '[7]',
      });
      holds(text.includes('-32602'), `no error: ${text}`);
    });
    await checks.check('form: parameters that are no JSON, and another host, are not sent', async () => {
      const wrong = await call(world, origin, node.url, { path: '/', method: 'eth_chainId', params: '[' });
      holds(wrong.text.includes('the parameters are no JSON'), wrong.text);
      const other = await call(world, origin, 'http://host.example', { path: '/', method: 'eth_chainId' });
      holds(other.text.includes('this page calls nodes on this machine only'), other.text);
      same(other.problems, [], 'the problems');
    });
    await checks.check('form: a page of another host is refused, and shows the flag', async () => {
      const { text } = await call(world, foreignOrigin, node.url, {
        path: '/',
        method: 'web3_clientVersion',
      });
      holds(text.includes(`--cors ${foreignOrigin}`) && text.includes('HTTP 403'), `no flag: ${text}`);
    });
  } finally {
    await node.stop();
  }
  await checks.check('form: no node', async () => {
    const { text } = await call(world, origin, node.url, { path: '/', method: 'web3_clientVersion' });
    holds(text.includes('start a node there'), text);
  });
  const open = await startNode('--cors', foreignOrigin);
  try {
    await checks.check('form: a node with the flag accepts the page of another host', async () => {
      const { text } = await call(world, foreignOrigin, open.url, {
        path: '/',
        method: 'web3_clientVersion',
      });
      holds(text.includes('"result": "LEDGER/'), text);
    });
  } finally {
    await open.stop();
  }
}

/** Follows a link to the form, fills it in, sends it, and returns what it shows. */
async function call({ browser, screenshots }, origin, url, { path, method, params = '' }) {
  const { page, problems, close } = await openPage(browser, origin);
  try {
    await page.goto(`${origin}/try.html?method=${method}&path=${path}`);
    // The page shows its origin once its program runs.
    await page.locator('.origin', { hasText: origin }).waitFor();
    same(await page.locator('[name=method]').inputValue(), method, 'the method of the link');
    await page.locator('[name=url]').fill(url + (path === '/' ? '' : path));
    if (params !== '') await page.locator('[name=parameters]').fill(params);
    await page.locator('.try-it button').click();
    const shown = page.locator('.try-it [aria-live]');
    await shown.locator('p').first().waitFor();
    await picture(page, screenshots, `form-${method}-${new URL(origin).hostname}`);
    return { text: await shown.innerText(), problems };
  } finally {
    await close();
  }
}

/** Removes the requests to the node, which are wanted. */
function others(problems, url) {
  return problems.filter((problem) => !problem.startsWith(`request to elsewhere: ${url}`));
}
