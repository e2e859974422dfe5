/** A wallet of the browser (EIP-1193) works with the page, and so does a page with a node of the library. */

import { same } from '../../tools/harness/checks.js';
import { openPage, show } from '../harness/browser.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser }) {
  const { startTestNode } = await import('../../../bin/library.js');
  const node = await startTestNode();
  const state = { chainId: 0, isWilling: true };
  const { page, problems, close } = await openPage(browser, node.url, { script: WALLET });
  /** @type {string[]} */
  const asked = [];
  await page.exposeBinding(
    'askWallet',
    async (_source, /** @type {{ method: string, params?: unknown[] }} */ request) => {
      asked.push(request.method);
      if (!state.isWilling) return { error: { code: 4001, message: 'User rejected the request.' } };
      if (request.method === 'eth_requestAccounts') return { result: [node.accounts[3]?.address] };
      if (request.method === 'eth_chainId' && state.chainId !== 0) return { result: state.chainId };
      try {
        return { result: await node.provider.request(request) };
      } catch (error) {
        const { code, message, data } = /** @type {any} */ (error);
        // As MetaMask wraps the response of a node.
        return {
          error: { code: -32603, message: 'Internal JSON-RPC error.', data: { code, message, data } },
        };
      }
    },
  );
  const tool = page.getByRole('region', { name: 'Send a transaction', exact: true });
  const send = async (/** @type {RegExp} */ expected) => {
    await tool.getByRole('button', { name: /^Send/ }).click();
    await tool.locator('.outcome[aria-busy="false"]').filter({ hasText: expected }).waitFor();
  };
  const balance = async (/** @type {string} */ address) =>
    BigInt(
      /** @type {string} */ (
        await node.provider.request({ method: 'eth_getBalance', params: [address, 'latest'] })
      ),
    );
  try {
    await checks.check('a transaction of the wallet', async () => {
      await show(page, node.url, 'tools');
      const to = node.accounts[4]?.address ?? '';
      const had = await balance(to);
      await tool.getByLabel('From').selectOption('wallet');
      await tool.getByLabel('To', { exact: true }).fill(to);
      await tool.getByLabel('Amount').fill('21');
      await send(/success/);
      same((await balance(to)) - had, 21n, 'sent');
      same(asked, ['eth_requestAccounts', 'eth_chainId', 'eth_sendTransaction'], 'asked of the wallet');
    });
    await checks.check('a wallet on another chain is asked for nothing', async () => {
      state.chainId = 1;
      asked.length = 0;
      await send(/the wallet is on chain 1, and this is chain 255/);
      same(asked.includes('eth_sendTransaction'), false, 'sent all the same');
      state.chainId = 0;
    });
    await checks.check('what the wallet and the node refuse', async () => {
      state.isWilling = false;
      await send(/User rejected the request/);
      state.isWilling = true;
      await tool.getByLabel('To', { exact: true }).fill('1.2.99999');
      await send(/Internal JSON-RPC error/);
    });
    await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  } finally {
    await close();
    await node.stop();
  }
}

/** A wallet that forwards everything; its errors are plain objects, as of some wallets. */
const WALLET = `window.ethereum = {
  async request(request) {
    const { result, error } = await window.askWallet(request);
    if (error !== undefined) throw error;
    return result;
  },
};`;
