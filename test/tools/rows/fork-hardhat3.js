/** Hardhat 3 on a forked node, and with it as the remote node of a fork. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFork } from '../harness/forked-chain.js';
import { checkScript, openProject } from '../harness/hardhat.js';
import { WHALE, WHALE_TOKENS } from '../harness/remote-chain.js';

/** @type {import('../harness/row.js').Row} */
export const row = {
  name: 'fork-hardhat3',
  packages: [
    'hardhat3:hardhat',
    'hardhat3:@nomicfoundation/hardhat-viem',
    'hardhat3:@nomicfoundation/hardhat-network-helpers',
  ],
  run,
};

/** Expected output of the script over HTTP, and of the simulated network that forks the node, in this order. */
const SHOWN = [
  'balances and contracts of the remote chain',
  'states, blocks, transactions and receipts before the fork',
  'an impersonated holder sends tokens',
  'a swap',
  'logs across the fork',
  'snapshots and fixtures',
  'the helpers of time, blocks and accounts',
  'the plugins of viem and ethers deploy and send',
];

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  await onFork(checks, target, async (forked, world, remote) => {
    const file = join(scratch, 'world.json');
    writeFileSync(file, JSON.stringify({ ...world, whale: WHALE, whaleTokens: String(WHALE_TOKENS) }));
    const further = { TOOLS_WORLD: file, TOOLS_REMOTE_URL: remote.url };
    const { hardhat } = openProject('hardhat3', 'hardhat3', forked, scratch, further);
    const built = await checks.check('compiles, offline, with npm’s solc', () => hardhat('build'));
    if (built === undefined) return;
    await checkScript(
      checks,
      hardhat,
      ['scripts/fork.js'],
      [
        ...SHOWN.map((what) => `http: ${what}`),
        'http: reset of the test client',
        ...SHOWN.map((what) => `forking: ${what}`),
        'forking of a block before the fork: its state',
      ],
    );
  });
}
