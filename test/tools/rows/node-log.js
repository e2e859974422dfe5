/** Checks the log of a node that has the artifacts of Hardhat and Foundry: console output and decoded errors. */

import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { holds } from '../harness/checks.js';
import { foundry } from '../harness/foundry.js';
import { openProject } from '../harness/hardhat.js';
import { SUITE } from '../harness/row.js';
import { startLedgerd } from '../harness/targets.js';

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'node-log', packages: ['@foundry-rs/forge', 'hardhat2:hardhat'], run };

const FILE = 'Chatter.sol';
const GAS = '0x7a1200';

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  if (target.name !== 'ledgerd') return;
  const source = readFileSync(join(SUITE, 'contracts', FILE), 'utf8');
  /** @param {string} text */
  const lineOf = (text) => source.slice(0, source.indexOf(text)).split('\n').length;
  await checks.check('the artifacts of Hardhat 2', async () => {
    const folder = join(scratch, 'hardhat');
    mkdirSync(folder);
    const project = openProject('hardhat2', 'hardhat2', target, folder);
    await project.hardhat('compile');
    const artifacts = join(project.folder, 'artifacts');
    const { abi, bytecode } = readJson(join(artifacts, 'contracts', FILE, 'Shopper.json'));
    const log = await logOf(artifacts, abi, bytecode);
    checkLog(log, `contracts/${FILE}:${lineOf('if (amount > 5)')}`);
  });
  await checks.check("a failing test of Hardhat 2's project", async () => {
    const folder = join(scratch, 'failing');
    mkdirSync(folder);
    const artifacts = join(folder, 'hardhat2', 'artifacts');
    // The node starts before the project has compiled anything: it watches the folder.
    mkdirSync(artifacts, { recursive: true });
    const node = await startLedgerd(['--ethereum', '--artifacts', artifacts, '--verbosity', '3']);
    try {
      const { hardhat } = openProject('hardhat2', 'hardhat2', node, folder);
      const test = await hardhat('test', '--network', 'target').catch((error) => String(error));
      holds(/1 passing/.test(test) && /1 failing/.test(test), `the output of the project: ${test}`);
    } finally {
      await node.stop();
    }
    checkLog(node.output?.() ?? '', `contracts/${FILE}:${lineOf('if (amount > 5)')}`);
  });
  await checks.check("Foundry's out", async () => {
    const folder = join(scratch, 'forge');
    cpSync(join(SUITE, 'forge'), folder, { recursive: true });
    cpSync(join(SUITE, 'contracts'), join(folder, 'src'), { recursive: true });
    symlinkSync(join(SUITE, 'harness', 'solc.cjs'), join(folder, 'solc'));
    await foundry('forge', ['build'], folder, target.url);
    const { abi, bytecode } = readJson(join(folder, 'out', FILE, 'Shopper.json'));
    const log = await logOf(join(folder, 'out'), abi, bytecode.object);
    checkLog(log, `src/${FILE}:${lineOf('if (amount > 5)')}`);
  });
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * Returns the log output of a successful and of a failed transaction.
 *
 * @param {string} artifacts
 * @param {any[]} abi
 * @param {string} data
 */
async function logOf(artifacts, abi, data) {
  const node = await startLedgerd(['--ethereum', '--artifacts', artifacts, '--verbosity', '3']);
  try {
    const { endpoint } = node;
    const [from] = await endpoint.call('eth_accounts');
    /** @param {object} fields */
    const send = async (fields) => {
      const hash = await endpoint.call('eth_sendTransaction', { from, gas: GAS, ...fields });
      return endpoint.call('eth_getTransactionReceipt', hash);
    };
    const { contractAddress: to } = await send({ data });
    const contract = new Interface(abi);
    const { status } = await send({ to, data: contract.encodeFunctionData('buy', [3, 'bread']) });
    const failed = await send({ to, data: contract.encodeFunctionData('buy', [9, 'wine']) });
    holds(status === '0x1' && failed.status === '0x0', `statuses ${status} and ${failed.status}`);
  } finally {
    await node.stop();
  }
  return node.output?.() ?? '';
}

/**
 * @param {string} log
 * @param {string} position of the error in the sources
 */
function checkLog(log, position) {
  holds(
    /console\.log bread 3\nconsole\.log asked for 3\n/.test(log),
    `no console output of the first transaction: ${log}`,
  );
  holds(
    /Shopper\.buy\(amount=9, what="wine"\) ✗ reverted: Insufficient\(owner=0x/.test(log),
    `the failed call is missing: ${log}`,
  );
  const [line = ''] = /Purse\.take\(amount=9\).*\n/.exec(log) ?? [];
  holds(line.includes('have=5, wanted=9') && line.includes(position), `no error at ${position}: ${log}`);
}
