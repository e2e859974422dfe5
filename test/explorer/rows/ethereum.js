/** On a chain with Ethereum: tokens, authorizations, the pool, deployment, suggestions and keys. */

import { encodeFunctionData, toHex } from 'viem';
import { mnemonicToAccount, signAuthorization } from 'viem/accounts';
import { call } from '../../rpc-client.js';
import { holds, same } from '../../tools/harness/checks.js';
import { axeFindings } from '../harness/axe.js';
import { openPage, settled, show } from '../harness/browser.js';
import { tokenContract } from '../harness/contracts.js';
import { startNode } from '../harness/node.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
/** Preinstalled, and what wallets delegate to. */
const DELEGATE = /** @type {const} */ ('0xe6Cae83BdE06E4c305530e199D7217f42808555B');
const RECEIVER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** Turns the text behind it around, and is too long for a symbol. */
const SYMBOL = '\u202eTKN and much more than a symbol';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser }) {
  const node = await startNode('--ethereum');
  const { page, problems, close } = await openPage(browser, node.url);
  try {
    await look(checks, page, node.url);
    await checks.check('nothing else happened', () => same(problems, [], 'what happened'));
  } finally {
    await close();
    await node.stop();
  }
}

async function look(
  /** @type {import('../../tools/harness/checks.js').Checks} */ checks,
  /** @type {import('playwright-core').Page} */ page,
  /** @type {string} */ url,
) {
  const rpc = (/** @type {string} */ method, /** @type {unknown[]} */ ...params) =>
    call(`${url}/ethereum`, method, ...params);
  const accounts = await rpc('eth_accounts');
  const [from, to] = accounts;
  const fact = (/** @type {RegExp} */ name) => page.locator('.facts > div').filter({ hasText: name });
  const main = page.locator('main');
  let token = '';

  await checks.check(
    'a contract is deployed from an artifact, with the arguments of its constructor',
    async () => {
      await show(page, url, 'tools');
      const tool = page.getByRole('region', { name: 'Deploy', exact: true });
      const { abi, bytecode, deployedBytecode } = tokenContract();
      await tool.getByRole('textbox', { name: 'Artifact' }).fill('{}');
      await tool.getByRole('button', { name: 'Read' }).click();
      await tool.getByText('there is no bytecode in it').waitFor();
      const artifact = { contractName: 'Token', abi, bytecode, deployedBytecode };
      await tool.getByRole('textbox', { name: 'Artifact' }).fill(JSON.stringify(artifact));
      await tool.getByRole('button', { name: 'Read' }).click();
      await tool.getByLabel('symbol_').fill(SYMBOL);
      await tool.getByLabel('supply').fill('5_000_000');
      await tool.getByRole('button', { name: 'Deploy: Token' }).click();
      await tool.getByText('success').waitFor();
      same(await axeFindings(page), [], 'axe-core');
      token = (await rpc('eth_getTransactionReceipt', await lastHash(rpc))).contractAddress;
    },
  );
  await checks.check('token transfers have a symbol that is cut, and decimals', async () => {
    const { abi } = tokenContract();
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [RECEIVER, 1_500_000n] });
    const hash = await rpc('eth_sendTransaction', { from, to: token, data });
    await show(page, url, `tx/${hash}`);
    const moved = fact(/^Tokens transferred/);
    await moved.getByText('1.5').waitFor();
    const text = await moved.innerText();
    holds(/TKN/.test(text) && !/symbol|\u202e/.test(text), text);
    await main.getByText('transfer(address,uint256)').waitFor();
    await page.getByRole('tab', { name: /^Token transfers/ }).click();
    await page.getByRole('table', { name: 'Tokens transferred' }).getByText('1.5').waitFor();
    same(await axeFindings(page), [], 'axe-core');
  });
  await checks.check('fees, type and nonce are below the summary', async () => {
    await page.getByText('More: gas, type and nonce').click();
    await fact(/^Gas fees/)
      .getByText(/Base: .* gwei \| Max: .* gwei \| Max priority: .* gwei/)
      .waitFor();
    await fact(/^Txn type/)
      .getByText('2 (EIP-1559)')
      .waitFor();
    await fact(/^Paid to the producer/)
      .getByText('ETH')
      .waitFor();
  });
  await checks.check('a token has a supply, transfers and holders; an address has tokens', async () => {
    await show(page, url, `address/${token}`);
    await page.locator('.kind').getByText('Token', { exact: true }).waitFor();
    await fact(/^Total supply/)
      .getByText('5', { exact: true })
      .waitFor();
    same(await axeFindings(page), [], 'axe-core of the facts');
    await page.getByRole('tab', { name: 'Token transfers' }).click();
    const transfers = page.getByRole('table', { name: 'Token transfers' });
    await transfers.getByText(/^1\.5 TKN/).waitFor();
    same(await transfers.locator('tbody tr').count(), 2, 'transfers');
    same(await axeFindings(page), [], 'axe-core of the transfers');
    await page.getByRole('tab', { name: 'Holders' }).click();
    const holders = page.getByRole('table', { name: 'The holders' });
    await holders.getByText(/^3\.5 TKN/).waitFor();
    same(await axeFindings(page), [], 'axe-core of the holders');
    await show(page, url, `address/${RECEIVER}/tokens`);
    const balances = page.getByRole('table', { name: 'The balances' });
    await balances.getByText(/^1\.5 TKN/).waitFor();
    const text = await balances.innerText();
    holds(!/symbol|\u202e/.test(text), text);
    same(await axeFindings(page), [], 'axe-core of the balances');
  });
  await checks.check('a preinstalled contract has its name', async () => {
    await show(page, url, `address/${DELEGATE}`);
    await page.getByText('Preinstalled contract').waitFor();
    await page.getByRole('heading', { name: /Simple7702Account/ }).waitFor();
  });
  await checks.check('a proxy has its implementation, and the forms of it', async () => {
    for (const [implementation, kind] of [
      [DELEGATE, 'Proxy'],
      [token, 'Token'],
    ]) {
      const data = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation?.slice(2)}5af43d82803e903d91602b57fd5bf3`;
      const hash = await rpc('eth_sendTransaction', { from, data });
      const { contractAddress } = await rpc('eth_getTransactionReceipt', hash);
      await show(page, url, `address/${contractAddress}`);
      await page.locator('.kind').getByText(`${kind}`, { exact: true }).waitFor();
      await fact(/^Implementation/)
        .getByRole('link')
        .waitFor();
      await page.getByRole('tab', { name: 'Read and write as proxy' }).click();
    }
    await main.getByText('balanceOf').first().waitFor();
    same(await axeFindings(page), [], 'axe-core');
  });
  await checks.check('an authorization with its signer, and the account that it delegates', async () => {
    const signer = mnemonicToAccount(MNEMONIC, { addressIndex: 3 });
    const chainId = Number(await rpc('eth_chainId'));
    const privateKey = toHex(signer.getHdKey().privateKey ?? new Uint8Array());
    const authorizationList = await Promise.all(
      [0, 7].map((nonce) => signAuthorization({ contractAddress: DELEGATE, chainId, nonce, privateKey })),
    );
    const sender = mnemonicToAccount(MNEMONIC, { addressIndex: 4 });
    const raw = await sender.signTransaction({
      type: 'eip7702',
      chainId,
      nonce: 0,
      to: RECEIVER,
      gas: 200_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
      authorizationList,
    });
    const hash = await rpc('eth_sendRawTransaction', raw);
    await show(page, url, `tx/${hash}`);
    const table = page.getByRole('table', { name: 'Authorizations' });
    await table.getByText('✓ Applied').waitFor();
    await table.getByText('✗ Not applied').waitFor();
    same(await table.getByTitle(signer.address).count(), 2, 'signers');
    same(await axeFindings(page), [], 'axe-core');
    await show(page, url, `address/${signer.address}`);
    await page.getByText('Delegated account').waitFor();
    await fact(/^Delegates to/)
      .getByText(DELEGATE)
      .waitFor();
  });
  await checks.check('the pool names the reason of each, and drops, speeds up and mines', async () => {
    await rpc('evm_setAutomine', false);
    const nonce = Number(await rpc('eth_getTransactionCount', to, 'latest'));
    const send = (/** @type {number} */ index, /** @type {object} */ fields = {}) =>
      rpc('eth_sendTransaction', {
        from: to,
        to: RECEIVER,
        value: '0x1',
        gas: '0x5208',
        nonce: `0x${(nonce + index).toString(16)}`,
        ...fields,
      });
    await send(0);
    await send(2);
    await show(page, url, 'pool');
    await page.getByText('Ready: automine is off').waitFor();
    await page.getByText(`Waits for nonce ${nonce + 1}`).waitFor();
    same(await axeFindings(page), [], 'axe-core');
    await page
      .getByRole('button', { name: /^Speed up/ })
      .first()
      .click();
    await page.getByText('was replaced').waitFor();
    await page.getByRole('button', { name: /^Drop/ }).last().click();
    await page.getByText('was dropped').waitFor();
    await page.getByText(`Waits for nonce ${nonce + 1}`).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Mine now' }).click();
    await page.getByText('A block was mined.').waitFor();
    await page.getByText('No pending transactions').waitFor();
    await rpc('evm_setAutomine', true);
  });
  await checks.check('suggestions while typing, by arrow keys', async () => {
    await show(page, url, `address/${token}`);
    await page.keyboard.press('/');
    await page.keyboard.type('transf');
    const option = page.getByRole('option', { name: /Token\.transfer\(address,uint256\)/ });
    await option.waitFor();
    same(await axeFindings(page), [], 'axe-core');
    await page.keyboard.press('ArrowDown');
    same(await option.getAttribute('aria-selected'), 'true', 'chosen');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.endsWith('/contract'));
  });
  await checks.check('keys lead to views, to rows, and to the neighbours', async () => {
    await show(page, url, 'block/1');
    await page.locator('h1').focus();
    await page.keyboard.press(']');
    await page.waitForFunction(() => location.hash === '#/block/2');
    await settled(page);
    await page.keyboard.press('[');
    await page.waitForFunction(() => location.hash === '#/block/1');
    for (const [key, place] of Object.entries({
      b: 'blocks',
      t: 'transactions',
      p: 'pool',
      c: 'contracts',
    })) {
      await settled(page);
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForFunction((/** @type {string} */ hash) => location.hash === hash, `#/${place}`);
    }
    await settled(page);
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('j');
    same(await page.evaluate(() => document.activeElement?.closest('tr') !== null), true, 'the focus');
    await page.keyboard.press('?');
    await page.getByRole('region', { name: 'Keys' }).waitFor();
    same(await axeFindings(page), [], 'axe-core');
  });
}

/** Returns the hash of the newest transaction. */
async function lastHash(/** @type {(method: string, ...params: unknown[]) => Promise<any>} */ rpc) {
  const { transactions } = await rpc('eth_getBlockByNumber', 'latest', false);
  return transactions.at(-1);
}
