/** Uses the view in which contracts are called. */

import { show } from './browser.js';

/**
 * Shows the forms of a contract.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} origin
 * @param {string} address
 */
export async function openContract(page, origin, address) {
  // From another view, which clears the typed values.
  await show(page, origin, 'pool');
  await show(page, origin, `address/${address}`);
  await page.getByRole('tab', { name: 'Read and write' }).click();
  await page.getByRole('region', { name: 'Interface', exact: true }).waitFor();
}
