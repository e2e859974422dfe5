/** OpenZeppelin's upgrades in Hardhat 3. */

import { openProject } from '../harness/hardhat.js';

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
  let output = '';
  let failure = new Error('the script ended before it came to this');
  await hardhat('run', '--no-compile', '--network', 'target', 'scripts/upgrades.js').then(
    (text) => {
      output = text;
    },
    (/** @type {Error} */ error) => {
      output = error.message;
      failure = error;
    },
  );
  for (const what of SHOWN) {
    await checks.check(what, () => {
      if (!output.includes(`shown: ${what}\n`)) throw failure;
    });
  }
}
