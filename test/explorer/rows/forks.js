/** A forked chain: values of the remote chain are marked, its blocks and operations can be seen. */

import { encodeFunctionData } from 'viem';
import { call } from '../../rpc-client.js';
import { holds, same } from '../../tools/harness/checks.js';
import { axeFindings } from '../harness/axe.js';
import { openPage, settled, show } from '../harness/browser.js';
import { openContract } from '../harness/contract-view.js';
import { shopContract } from '../harness/contracts.js';
import { startNode } from '../harness/node.js';

const MARK = '.badge.waiting';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser }) {
  const remote = await startNode('--ethereum');
  try {
    const { abi, bytecode } = shopContract();
    const [from] = await call(`${remote.url}/ethereum`, 'eth_accounts');
    const send = async (/** @type {Record<string, unknown>} */ transaction) => {
      const hash = await call(`${remote.url}/ethereum`, 'eth_sendTransaction', { from, ...transaction });
      return call(`${remote.url}/ethereum`, 'eth_getTransactionReceipt', hash);
    };
    const { contractAddress: shop } = await send({ data: bytecode });
    const data = encodeFunctionData({ abi, functionName: 'buy', args: [2n, 'pears'] });
    const { transactionHash: bought } = await send({ to: shop, data, value: '0x7' });
    const forking = ['--fork', `${remote.url}/ethereum`, '--no-fork-cache', '--fork-trust-header'];
    const node = await startNode(...forking);
    try {
      await node.call('ledger_addArtifact', { name: 'Shop', abi, address: shop });
      await call(`${node.url}/ethereum`, 'evm_mine');
      await look(checks, browser, node, { source: `${remote.url}/…`, shop, bought, from, data });
    } finally {
      await node.stop();
    }
  } finally {
    await remote.stop();
  }
}

async function look(
  /** @type {import('../../tools/harness/checks.js').Checks} */ checks,
  /** @type {import('playwright-core').Browser} */ browser,
  /** @type {import('../harness/node.js').Node} */ node,
  /** @type {Record<'source' | 'shop' | 'bought' | 'from' | 'data', string>} */ {
    source,
    shop,
    bought,
    from,
    data,
  },
) {
  const { page, problems, close } = await openPage(browser, node.url);
  const fact = (/** @type {RegExp} */ name) => page.locator('.facts > div').filter({ hasText: name });
  /** Shows the address anew. */
  const showShop = async () => {
    await show(page, node.url, 'pool');
    await show(page, node.url, `address/${shop}`);
  };
  /** Calls the read function of the sign. Returns the marks of the result. */
  const readSign = async () => {
    await openContract(page, node.url, shop);
    const folded = page.locator('.function').filter({ has: page.locator('summary', { hasText: 'sign()' }) });
    await folded.first().locator('summary').click();
    await folded.first().getByRole('button', { name: 'Call' }).click();
    await folded.first().locator('.outputs').waitFor();
    return folded.first().locator(MARK).allInnerTexts();
  };
  await checks.check('the overview names the remote node, and links the block of the fork', async () => {
    await show(page, node.url, '');
    await page.getByText(`of ${source}; earlier blocks`).waitFor();
    await page.locator('.live').getByRole('link', { name: '2', exact: true }).first().click();
    await page.getByText('Block of the remote chain').waitFor();
    await fact(/^Chain/)
      .filter({ hasText: `${source}; this chain continues from here` })
      .waitFor();
  });
  await checks.check('blocks before the fork, one after the other, with their operations', async () => {
    await page.getByRole('link', { name: '← 1' }).click();
    await page.getByRole('heading', { level: 1, name: '1' }).waitFor();
    await settled(page);
    await page.locator('table').getByRole('link', { name: /^0x/ }).first().waitFor();
    same(await axeFindings(page), [], 'axe-core');
  });
  await checks.check('a remote operation with its calls', async () => {
    await show(page, node.url, `tx/${bought}/calls`);
    await page.getByText('buy').first().waitFor();
  });
  await checks.check('balance and code of a remote contract are marked', async () => {
    await showShop();
    await fact(/^Balance/)
      .locator(MARK)
      .waitFor();
    await fact(/^Code/).locator(MARK).waitFor();
    holds(
      (await fact(/^Balance/).innerText()).includes(`of ${source} at block 2`),
      'the mark names no source',
    );
    same(await axeFindings(page), [], 'axe-core');
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.locator('h3').locator(MARK).waitFor();
  });
  await checks.check('a slot is read, and marked', async () => {
    await page.getByRole('tab', { name: 'Storage' }).click();
    await page.getByText('This chain has written none.').waitFor();
    await page.getByLabel('Slot', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Read' }).click();
    await page.locator('.outcome').getByText('0x6f70656e').waitFor();
    same(await page.locator('.outcome').locator(MARK).allInnerTexts(), ['remote'], 'marks');
    await page.getByLabel('Slot', { exact: true }).fill('nowhere');
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByText('it is no position').waitFor();
  });
  await checks.check('a read is of the remote chain', async () =>
    same(await readSign(), ['remote'], 'marks'),
  );
  await checks.check('after a change, the marks of what this chain has are gone', async () => {
    const url = `${node.url}/ethereum`;
    const word = `0x${Buffer.from('shut').toString('hex').padEnd(62, '0')}08`;
    await call(url, 'anvil_setStorageAt', shop, '0x0', word);
    await call(url, 'eth_sendTransaction', { from, to: shop, data, value: '0x5' });
    same(await readSign(), ['partly remote'], 'marks');
    await showShop();
    await fact(/^Code/).locator(MARK).waitFor();
    same(
      await fact(/^Balance/)
        .locator(MARK)
        .count(),
      0,
      'marks of the balance',
    );
    await page.getByRole('tab', { name: 'Storage' }).click();
    await page.locator('table').getByText('0x73687574').waitFor();
  });
  await checks.check('a reset to another block is seen', async () => {
    await show(page, node.url, '');
    await call(`${node.url}/ethereum`, 'hardhat_reset', { forking: { blockNumber: 1 } });
    await page.getByText('The chain continues from block 1 of').waitFor();
  });
  await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  await close();
}
