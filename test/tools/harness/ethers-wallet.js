/** Wallets of ethers, which rows use where the wallet itself is not what is tried. */

import { JsonRpcProvider, Wallet } from 'ethers';

/** Polling interval of a receipt. */
const POLLING_MS = 100;

/**
 * A wallet at a URL that asks the node anew each time: what was true a moment ago may no longer be.
 *
 * @param {string} url
 * @param {string} privateKey
 */
export function openWallet(url, privateKey) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, polling: true });
  provider.pollingInterval = POLLING_MS;
  return new Wallet(privateKey, provider);
}
