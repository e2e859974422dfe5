/** Hardhat 3 with Ignition. */

import { checkIgnition, openProject } from '../harness/hardhat.js';

/** @type {import('../harness/row.js').Row} */
export const row = {
  name: 'hardhat3',
  packages: ['hardhat3:hardhat', 'hardhat3:@nomicfoundation/hardhat-ignition'],
  run,
};

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  const project = openProject('hardhat3', 'hardhat3', target, scratch);
  await checkIgnition(checks, target, project, 'ignition/modules/tools.js');
}
