/** The page follows the chain, through a restart of its node, and on nodes that are not in test mode. */

import { join } from 'node:path';
import { call } from '../../rpc-client.js';
import { holds, same } from '../../tools/harness/checks.js';
import { openPage, settled, show } from '../harness/browser.js';
import { runProgram, startNode } from '../harness/node.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser, node, scratch }) {
  await checks.check(
    'blocks and operations appear by themselves, and stand still when they are told to',
    async () => {
      const { page, problems, close } = await openPage(browser, node.url);
      try {
        await show(page, node.url, '');
        const first = () => page.locator('a[href^="#/block/"]').first().innerText();
        const before = Number(await first());
        const [from, to] = await node.call('eth_accounts');
        const hash = await node.call('eth_sendTransaction', { from, to, value: '0x9' });
        await page
          .locator(`a[href="#/block/${before + 1}"]`)
          .first()
          .waitFor();
        await page
          .locator(`a[href^="#/tx/"][href$="${hash.slice(-20)}"]`)
          .first()
          .waitFor();
        await page.getByRole('button', { name: 'Pause' }).click();
        await node.call('hardhat_mine', '0x3');
        await page.waitForFunction(
          (/** @type {number} */ height) =>
            document.querySelector('.gauge strong')?.textContent?.replace(/\D/g, '') === String(height),
          before + 4,
        );
        same(await first(), before + 1, 'the list');
        same(problems, [], 'what happened');
      } finally {
        await close();
      }
    },
  );
  await checks.check('a revert takes what it shows back', async () => {
    const { page, close } = await openPage(browser, node.url);
    try {
      await show(page, node.url, '');
      const id = await node.call('evm_snapshot');
      const height = Number(await node.call('eth_blockNumber'));
      await node.call('hardhat_mine', '0x5');
      await page
        .locator(`a[href="#/block/${height + 5}"]`)
        .first()
        .waitFor();
      await node.call('evm_revert', id);
      // Subscribers hear of it with the block that follows the fork.
      await node.call('evm_mine');
      await page
        .locator(`a[href="#/block/${height + 5}"]`)
        .first()
        .waitFor({ state: 'detached' });
      await page
        .locator(`a[href="#/block/${height + 1}"]`)
        .first()
        .waitFor();
    } finally {
      await close();
    }
  });
  await checks.check('after a restart of the node it goes on', async () => {
    const dataDir = join(scratch, 'restarted');
    const begun = await startNode('--test', '--data-dir', dataDir);
    const { port } = new URL(begun.url);
    const { page, close } = await openPage(browser, begun.url);
    try {
      await begun.call('hardhat_mine', '0x3');
      await show(page, begun.url, '');
      await begun.stop();
      await page.locator('.notice').waitFor();
      const again = await startNode('--test', '--data-dir', dataDir, '--port', port);
      try {
        await page.locator('.notice').waitFor({ state: 'detached' });
        await again.call('evm_mine');
        await page.locator('a[href="#/block/4"]').first().waitFor();
      } finally {
        await again.stop();
      }
    } finally {
      await close();
    }
  });
  await checks.check('a further chain, below its path: its blocks, and its number', async () => {
    const node = await startNode();
    const { page, problems, close } = await openPage(browser, node.url);
    try {
      await call(`${node.url}/chain/2`, 'evm_mine');
      await page.goto(`${node.url}/chain/2`);
      await page.locator('a[href="#/block/1"]').first().waitFor();
      await page.getByText(/ · \/chain\/2 · /).waitFor();
      await call(`${node.url}/chain/2`, 'evm_mine');
      await page.locator('a[href="#/block/2"]').first().waitFor();
      same(problems, [], 'what happened');
    } finally {
      await close();
      await node.stop();
    }
  });
  await checks.check('a node of a chain of its own shows it only when it is told to', async () => {
    const dataDir = join(scratch, 'node');
    await runProgram('init', '--data-dir', dataDir, '--block-interval', '0.5');
    const hidden = await startNode('--data-dir', dataDir);
    try {
      const response = await fetch(hidden.url, { headers: { accept: 'text/html' } });
      holds(response.status !== 200, `status ${response.status} without --explorer`);
    } finally {
      await hidden.stop();
    }
    const shown = await startNode('--data-dir', dataDir, '--explorer');
    const { page, problems, close } = await openPage(browser, shown.url);
    try {
      await show(page, shown.url, '');
      await page.locator('a[href^="#/block/"]').nth(2).waitFor();
      same(await page.getByRole('link', { name: 'Tools' }).count(), 0, 'the link to the tools');
      await show(page, shown.url, 'tools');
      await page.getByText('not in test mode').waitFor();
      same(await page.getByRole('region', { name: 'Faucet' }).count(), 0, 'a faucet');
      await page.getByRole('region', { name: 'Units' }).waitFor();
      await show(page, shown.url, 'register');
      await settled(page);
      same(problems, [], 'what happened');
    } finally {
      await close();
      await shown.stop();
    }
  });
}
