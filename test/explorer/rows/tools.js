/** Checks that each tool changes the chain. */

import { holds, same } from '../../tools/harness/checks.js';
import { axeFindings } from '../harness/axe.js';
import { openPage, show } from '../harness/browser.js';
import { startNode } from '../harness/node.js';

/** @type {import('../suite.js').Row} */
export const row = { run };

/** @type {import('../suite.js').Row['run']} */
async function run(checks, { browser }) {
  for (const kind of /** @type {const} */ (['ledger', 'ethereum'])) {
    const node = await startNode(...(kind === 'ethereum' ? ['--ethereum'] : []));
    const { page, problems, close } = await openPage(browser, node.url);
    try {
      await tools({ check: (what, body) => checks.check(`${kind}: ${what}`, body) }, node, page, kind);
      await checks.check(`${kind}: nothing else happened`, () => same(problems, [], 'what happened'));
    } finally {
      await close();
      await node.stop();
    }
  }
}

/**
 * @param {Pick<import('../../tools/harness/checks.js').Checks, 'check'>} checks
 * @param {import('../harness/node.js').Node} node
 * @param {import('playwright-core').Page} page
 * @param {'ledger' | 'ethereum'} kind
 */
async function tools(checks, node, page, kind) {
  await show(page, node.url, 'tools');
  const value = kind === 'ethereum' ? 'Value' : 'Amount';
  const nobody = `0x${'00'.repeat(18)}beef`;
  const tool = (/** @type {string} */ name) => page.getByRole('region', { name, exact: true });
  const balance = async (/** @type {string} */ address) =>
    BigInt(await node.call('eth_getBalance', address, 'latest'));
  const head = async () => Number(await node.call('eth_blockNumber'));

  await checks.check('the faucet gives, without a block', async () => {
    const before = await head();
    await fill(tool('Faucet'), { Address: '1.2.1030', Amount: '1_234', Unit: 'units' });
    const had = await balance(`0x${(1030).toString(16).padStart(40, '0')}`);
    await press(tool('Faucet'), 'Give', /has .* now/);
    same((await balance(`0x${(1030).toString(16).padStart(40, '0')}`)) - had, 1_234n, 'given');
    same(await head(), before, 'blocks');
  });
  await checks.check('the faucet says which field is wrong, and gives nothing', async () => {
    await fill(tool('Faucet'), { Address: '0x12' });
    await press(tool('Faucet'), 'Give', /expected 0x and 40 digits, 1\.2\.N or 1\.11\.N/);
    same(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'address', 'the focus');
    await fill(tool('Faucet'), { Address: '1.2.1030', Amount: '1.5', Unit: 'wei' });
    await press(tool('Faucet'), 'Give', /at most 0 decimal places/);
    await fill(tool('Faucet'), { Amount: '99999999999999999999999', Unit: 'ether' });
    await press(tool('Faucet'), 'Give', /9223372036854775807|native units/);
  });
  await checks.check('blocks are mined, with an interval', async () => {
    const before = await head();
    await fill(tool('Mining'), { Blocks: '5', 'Seconds between them': '10' });
    await press(tool('Mining'), 'Mine', new RegExp(`latest block is ${before + 5}`));
    const [first, last] = await Promise.all(
      [before + 1, before + 5].map((number) =>
        node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false),
      ),
    );
    same(Number(last.timestamp) - Number(first.timestamp), 40, 'seconds');
  });
  await checks.check('blocks come when they are asked for, at an interval, at once', async () => {
    await fill(tool('Mining'), { 'Mining mode': 'none' });
    await press(tool('Mining'), 'Set', /mined on request only/);
    same(await node.call('anvil_getAutomine'), false, 'automine');
    same(await node.call('anvil_getIntervalMining'), null, 'interval');
    await fill(tool('Mining'), { 'Mining mode': 'interval', 'Interval in seconds': '3600' });
    await press(tool('Mining'), 'Set', /every 3600 s/);
    same(await node.call('anvil_getIntervalMining'), 3_600, 'interval');
    await fill(tool('Mining'), { 'Mining mode': 'instant' });
    await press(tool('Mining'), 'Set', /at once/);
    same(await node.call('anvil_getAutomine'), true, 'automine');
  });
  await checks.check('the clock goes forward', async () => {
    const before = BigInt(await node.call('evm_increaseTime', '0x0'));
    await fill(tool('Time'), { 'How far': '2', Unit: '86400' });
    await press(tool('Time'), 'Go forward', /ahead/);
    same(BigInt(await node.call('evm_increaseTime', '0x0')) - before, 172_800n, 'seconds');
    await fill(tool('Time'), { 'Time of the next block': '2090-01-31 12:00' });
    await press(tool('Time'), 'Set', /2090-01-31 12:00:00/);
    await node.call('evm_mine');
    const { timestamp } = await node.call('eth_getBlockByNumber', 'latest', false);
    same(Number(timestamp), Date.UTC(2090, 0, 31, 12) / 1_000, 'the time');
    await fill(tool('Time'), { 'Time of the next block': '2001-01-01' });
    await press(tool('Time'), 'Set', /the time of the latest block/);
    await fill(tool('Time'), { 'Time of the next block': 'tomorrow' });
    await press(tool('Time'), 'Set', /expected seconds since 1970, or a date/);
    await tool('Time')
      .getByText(/latest block 2090-01-31.*ahead/)
      .waitFor();
  });
  await checks.check('a snapshot is taken, listed, and gone back to', async () => {
    await press(tool('Snapshots'), 'Take a snapshot', /Taken: 0x/);
    const before = await head();
    await press(tool('Snapshots'), 'Take a snapshot', /Taken: 0x/);
    await tool('Snapshots').locator('tbody tr').nth(1).waitFor();
    await node.call('hardhat_mine', '0x7');
    same(await tool('Snapshots').locator('tbody tr').count(), 2, 'listed');
    await tool('Snapshots').locator('tbody tr').last().getByRole('button').click();
    await tool('Snapshots').getByText('There is none').waitFor();
    same(await head(), before, 'the head');
  });
  await checks.check('what an impersonated address sends', async () => {
    await node.call('anvil_setBalance', nobody, '0x989680');
    await fill(tool('Impersonation'), { Address: nobody });
    await press(tool('Impersonation'), 'Impersonate', /takes transactions of/);
    const receiver = `0x${(1031).toString(16).padStart(40, '0')}`;
    const had = await balance(receiver);
    await fill(tool('Send a transaction'), { From: nobody, To: '1.2.1031', [value]: '7', Unit: 'units' });
    await press(tool('Send a transaction'), 'Send', /success/);
    same((await balance(receiver)) - had, 7n, 'sent');
    await tool('Impersonation').getByRole('button', { name: /^Stop/ }).click();
    await tool('Impersonation').locator('.impersonated').waitFor({ state: 'detached' });
    const refused = await node.call('eth_sendTransaction', { from: nobody, to: receiver, value: '0x0' }).then(
      () => '',
      (/** @type {Error} */ { message }) => message,
    );
    holds(/unknown account/.test(refused), refused);
  });
  await checks.check('what is sent wrongly says why', async () => {
    await fill(tool('Send a transaction'), { To: '1.2.99999', [value]: '1', Unit: 'units' });
    // On a chain that knows Ethereum every address may have something.
    if (kind === 'ledger') await press(tool('Send a transaction'), 'Send', /there is no account/);
    await fill(tool('Send a transaction'), { To: '1.2.1031', Data: '0x1' });
    await press(tool('Send a transaction'), 'Send', /two digits for each byte/);
  });
  await checks.check('units and addresses are converted', async () => {
    await fill(tool('Units'), { Amount: '1.5', Unit: 'ether' });
    const text = await tool('Units').innerText();
    holds(text.includes('1500000000000000000'), text);
    holds(text.includes(kind === 'ethereum' ? '150000000' : '1500000000'), text);
    await fill(tool('Units'), { Amount: 'much' });
    holds(/expected an amount/.test(await tool('Units').innerText()), 'no word of what is wrong');
    await fill(tool('Addresses'), { 'Address or identifier': '1.11.255' });
    await press(tool('Addresses'), 'Convert', /0x01000000000000000000000000000000000000[fF]{2}/);
    await fill(tool('Addresses'), { 'Address or identifier': `0x${(1024).toString(16).padStart(40, '0')}` });
    await press(tool('Addresses'), 'Convert', /1\.2\.1024/);
  });
  await checks.check('nobody is shut out of what came of it', async () => {
    same(await axeFindings(page), [], 'axe-core');
  });
  await checks.check('calls are encoded and decoded', async () => {
    const [encoding, decoding] = [
      tool('ABI encoding').locator('form').first(),
      tool('ABI encoding').locator('form').last(),
    ];
    await fill(encoding, { 'Function, or types': 'transfer(address,uint256)', Values: '(1.2.1024, 1e3)' });
    const data = `0xa9059cbb${(1024).toString(16).padStart(64, '0')}${(1000).toString(16).padStart(64, '0')}`;
    await press(encoding, 'Encode', new RegExp(data));
    await fill(decoding, { 'Function, or types': 'transfer(address,uint256)', Data: data });
    await press(decoding, 'Decode', /1000/);
    await fill(encoding, { Values: '(1.2.1024, -1)' });
    await press(encoding, 'Encode', /values\[1\]: out of the range of uint256/);
    await fill(decoding, { 'Function, or types': 'f(string[])', Data: data });
    await press(decoding, 'Decode', /begins with 0xa9059cbb/);
  });
}

/**
 * Fills in fields by their labels; a choice by its value.
 *
 * @param {import('playwright-core').Locator} where
 * @param {Record<string, string>} values
 */
async function fill(where, values) {
  for (const [label, value] of Object.entries(values)) {
    const field = where.getByLabel(label, { exact: true }).last();
    const tag = await field.evaluate(({ tagName }) => tagName);
    if (tag === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
}

/**
 * Presses a button and waits for what comes of it.
 *
 * @param {import('playwright-core').Locator} where
 * @param {string} name
 * @param {RegExp} expected
 */
async function press(where, name, expected) {
  const button = where
    .getByRole('button')
    .filter({ hasText: new RegExp(`^${name.replace('?', '\\?')}$`) })
    .first();
  await button.click();
  const form = button.locator('xpath=ancestor::form');
  await form
    .locator('.outcome[aria-busy="false"]')
    .filter({ hasText: expected })
    .waitFor()
    .catch(async (error) => {
      throw new Error(`expected ${expected}, and it says: ${await form.locator('.outcome').innerText()}`, {
        cause: error,
      });
    });
}
