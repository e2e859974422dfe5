/**
 * Replays the chain that the tools left, by `ledgerd verify` and in another folder, and compares the outcome.
 */

import { join } from 'node:path';
import { Checks, holds, same } from '../harness/checks.js';
import { run as runProgram } from '../harness/processes.js';
import { LEDGERD, startLedgerd } from '../harness/targets.js';
import { row as mixed } from './mixed.js';

const FLAGS = ['--ethereum', '--test', '--data-dir'];

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'replay', packages: [], run };

/** @type {import('../harness/row.js').Run} */
async function run(checks, target, scratch) {
  if (target.name !== 'ledgerd') {
    return checks.skip('verify and import', 'for ledgerd, where the suite starts it');
  }
  const [folder, copy, archive] = ['chain', 'copy', 'blocks'].map((name) => join(scratch, name));
  const ledgerd = (/** @type {string[]} */ ...words) => runProgram(process.execPath, [LEDGERD, ...words]);
  const head = await checks.check('a chain with transactions of keys, contracts and native accounts', () =>
    fill(folder, scratch),
  );
  if (head === undefined) return;
  await checks.check('verify', () => ledgerd('verify', '--data-dir', folder));
  await checks.check('export and import: the same head', async () => {
    await ledgerd('export', archive, '--data-dir', folder);
    await ledgerd('import', archive, '--data-dir', copy);
    await ledgerd('verify', '--data-dir', copy);
    const info = await ledgerd('info', '--data-dir', copy);
    holds(info.includes(head.hash.replace(/^0x/, '')), `${head.hash} is not the head of the copy: ${info}`);
  });
  await checks.check('started again: the same head, and on', async () => {
    const { endpoint, stop } = await startLedgerd([...FLAGS, folder]);
    try {
      const block = await endpoint.call('eth_getBlockByNumber', head.number, false);
      same(block?.hash, head.hash, 'hash');
    } finally {
      await stop();
    }
  });
}

/**
 * Repeats the row of amounts on a separate node, and returns its last block.
 *
 * @param {string} folder of the chain
 * @param {string} scratch
 * @returns {Promise<{ number: string, hash: string }>}
 */
async function fill(folder, scratch) {
  const target = await startLedgerd([...FLAGS, folder]);
  try {
    // That row reports failures.
    const silent = new Checks(mixed.name, '', target.name, () => undefined);
    await mixed.run(silent, target, scratch);
    const { number, hash } = await target.endpoint.call('eth_getBlockByNumber', 'latest', false);
    holds(BigInt(number) > 5n, `there are only ${BigInt(number)} blocks`);
    return { number, hash };
  } finally {
    await target.stop();
  }
}
