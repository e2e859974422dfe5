/** Ether for new keys, out of one account that rows may use at the same time. */

import { accountOf } from './accounts.js';
import { same } from './checks.js';
import { signRaw } from './raw-transaction.js';

/** Transfers of the funding account, one after the other, so that its nonces are in order. */
let turn = Promise.resolve();

/**
 * Gives an address wei, and waits until it has them.
 *
 * @param {import('./targets.js').Target} target
 * @param {string} to
 * @param {bigint} value
 * @returns {Promise<void>}
 */
export function fund({ endpoint, chainId }, to, value) {
  const { address, privateKey } = accountOf('others');
  const gift = async () => {
    const nonce = await endpoint.quantity('eth_getTransactionCount', address, 'pending');
    const maxFee = (await endpoint.quantity('eth_gasPrice')) * 2n;
    const raw = signRaw(privateKey, { chainId, nonce, maxFee, to, value });
    const { status } = await endpoint.receipt(await endpoint.call('eth_sendRawTransaction', raw));
    same(status, '0x1', `status of the gift to ${to}`);
  };
  const given = turn.then(gift);
  turn = given.catch(() => undefined);
  return given;
}
