/** The accounts of the mnemonic that every tool knows. A node for tests has to fund them. */

import { HDNodeWallet, Mnemonic } from 'ethers';

export const MNEMONIC = 'test test test test test test test test test test test junk';
const PATH = "m/44'/60'/0'/0";

/** Owners of the accounts: no row uses the nonces of another. */
const OWNERS = [
  'cast',
  'forge',
  'hardhat2',
  'hardhat3',
  'upgrades',
  'safe',
  'ethers',
  'viem',
  'web3',
  'others',
];

/**
 * The key of a row.
 *
 * @param {string} row
 * @returns {{ address: `0x${string}`, privateKey: `0x${string}` }}
 */
export function accountOf(row) {
  return accountAt(indexOf(row));
}

/**
 * Returns the index of a row's key.
 *
 * @param {string} row
 */
export function indexOf(row) {
  const index = OWNERS.indexOf(row);
  if (index < 0) throw new Error(`no account is kept for ${row}`);
  return index;
}

/**
 * Derives the key with an index from the mnemonic.
 *
 * @param {number} index
 * @returns {{ address: `0x${string}`, privateKey: `0x${string}` }}
 */
function accountAt(index) {
  const { address, privateKey } = HDNodeWallet.fromMnemonic(
    Mnemonic.fromPhrase(MNEMONIC),
    `${PATH}/${index}`,
  );
  return {
    address: /** @type {`0x${string}`} */ (address),
    privateKey: /** @type {`0x${string}`} */ (privateKey),
  };
}
