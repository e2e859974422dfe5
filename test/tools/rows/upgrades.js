/** OpenZeppelin's upgrades in Hardhat 3. */

import { checkScript, openProject } from '../harness/hardhat.js';

/** @type {import('../harness/row.js').Row} */
export const row = {
  name: 'upgrades',
  packages: ['hardhat3:@openzeppelin/hardhat-upgrades', 'hardhat3:hardhat'],
  run,
};

/** Expected output of the project's script, in this order. */
const SHOWN = [
  'deployProxy',
  'upgradeProxy',
  'deployBeacon and two proxies',
  'upgradeBeacon',
  'UUPS is refused',
];

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const { hardhat } = openProject('hardhat3', 'upgrades', target, scratch);
  await checks.check('compiles, offline, with npm’s solc', () => hardhat('build'));
  await checkScript(checks, hardhat, ['--network', 'target', 'scripts/upgrades.js'], SHOWN);
}
