/** viem on a fork of a fork: the remote node is a forked ledgerd with blocks of its own. */

import { onFork } from '../harness/forked-chain.js';
import { startFork } from '../harness/targets.js';
import { viemOnFork } from './fork-viem.js';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'fork-again', packages: ['viem'], run };

/** Blocks without transactions. */
const MINED = 2;

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  if (target.name !== 'ledgerd') return checks.skip('a fork of a fork', 'for ledgerd');
  await onFork(checks, target, async ({ endpoint, url }, world) => {
    const [from] = await endpoint.call('eth_accounts');
    const sent = await endpoint.call('eth_sendTransaction', { from, to: from, value: '0x1' });
    await endpoint.call('anvil_mine', MINED);
    const [first, ...others] = world.hashes;
    const hashes = /** @type {typeof world.hashes} */ ([first, sent, ...others]);
    // The headers of ledgerd's blocks do not have their hashes.
    const again = await startFork('ledgerd', url, ['--fork-trust-header']);
    try {
      await viemOnFork(checks, again, { ...world, hashes, number: world.number + 1 + MINED }, url);
    } finally {
      await again.stop();
    }
  });
}
