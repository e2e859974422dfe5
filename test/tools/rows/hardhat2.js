/** Hardhat 2 with Ignition. */

import { checkIgnition, openProject } from '../harness/hardhat.js';

/** @type {import('../harness/row.js').Row} */
export const row = {
  name: 'hardhat2',
  packages: ['hardhat2:hardhat', 'hardhat2:@nomicfoundation/hardhat-ignition'],
  run,
};

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const project = openProject('hardhat2', 'hardhat2', target, scratch);
  await checkIgnition(checks, target, project, 'ignition/modules/tools.cjs');
}
