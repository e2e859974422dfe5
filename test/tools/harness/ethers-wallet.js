/** Wallets of ethers, for rows that test something else. */

import { JsonRpcProvider, Wallet } from 'ethers';

/** Polling interval of a receipt. */
const POLLING_MS = 100;

/**
 * Opens a wallet at a URL without caching of responses.
 *
 * @param {string} url
 * @param {string} privateKey
 */
export function openWallet(url, privateKey) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, polling: true });
  provider.pollingInterval = POLLING_MS;
  return new Wallet(privateKey, provider);
}
