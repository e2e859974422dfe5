/** Records steps on a fork, packs it, and repeats them without a remote node. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../harness/processes.js';
import { LEDGERD } from '../harness/targets.js';
import { differencesOf, nameOf, show, unexpected } from './compare.js';
import { dataOf } from './contracts.js';
import { forkWithLedgerd } from './nodes.js';
import { Side } from './side.js';
import { step } from './step.js';
import { balanceSlot } from './steps/reads.js';
import { stepsOf } from './steps/table.js';

/** Packs with a changed bit that a start has to refuse. */
const DAMAGED = 4;
const UNKNOWN = /** @type {import('./contracts.js').Hex} */ (`0x${'a1'.repeat(20)}`);

/**
 * Compares the responses of a pack with those of the fork that it was made of.
 *
 * @param {import('./nodes.js').Node} remote is stopped
 * @param {import('./world.js').World} world
 * @param {import('../differential/random.js').Random} random
 * @param {(line: string) => void} print
 * @returns {Promise<number>} the number of failures
 */
export async function compareWithPack(remote, world, random, print) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-pack-'));
  const [data, file] = [join(folder, 'data'), join(folder, 'a.fork')];
  let failures = 0;
  const fail = (/** @type {string} */ text) => {
    failures += 1;
    print(`FAIL ${text}`);
  };
  try {
    const steps = (await stepsOf(world, random)).flatMap(([, group]) => group);
    const source = `${remote.endpoint.url}@${world.number}`;
    const flags = random.oneIn(2) ? ['--fork-verify'] : [];
    const recording = await forkWithLedgerd(source, ['--data-dir', data, ...flags]);
    const recorded = await outcomesOn(recording, world, steps);
    print((await run(process.execPath, [LEDGERD, 'fork', 'pack', '--data-dir', data, file])).trim());
    await remote.stop();
    const repeated = await outcomesOn(await forkWithLedgerd(file), world, steps);
    for (const [index, step] of steps.entries()) {
      const surprise = unexpected(step, recorded[index]);
      if (surprise !== undefined) fail(`${nameOf(step)}: ${surprise}`);
      for (const { path, ours, theirs } of differencesOf(repeated[index], recorded[index])) {
        fail(`${nameOf(step)}\n  ${path}: ${show(ours)}, before ${show(theirs)}`);
      }
    }
    print(`${steps.length} steps without a remote node${flags.map((flag) => `, recorded with ${flag}`)}`);
    await checkMissing(file, world, fail);
    await checkDamaged(file, random, fail);
    print(`${DAMAGED} packs with a changed bit`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failures;
}

/**
 * Runs steps on a node, and stops it.
 *
 * @param {import('./nodes.js').Node} node
 * @param {import('./world.js').World} world
 * @param {readonly import('./step.js').Step[]} steps
 */
async function outcomesOn({ endpoint, stop }, world, steps) {
  const side = new Side(endpoint, new Set(world.blockHashes));
  try {
    const outcomes = [];
    for (const step of steps) outcomes.push(side.named(step, await side.run(step)));
    return outcomes;
  } finally {
    await stop();
  }
}

/**
 * Checks the errors of steps that need what nobody has read: they name it and the command that adds it.
 *
 * @param {string} file
 * @param {import('./world.js').World} world
 * @param {(text: string) => void} fail
 */
async function checkMissing(file, { accounts, apple, number }, fail) {
  const { endpoint, stop } = await forkWithLedgerd(file);
  const fetchFirst = `start with --fork URL@${number} --data-dir FOLDER, run the same calls`;
  const remedy = `was not fetched from the remote chain: ${fetchFirst}, and pack again (ledgerd fork pack)`;
  const transfer = { from: accounts[0], to: apple.address, data: dataOf(apple, 'transfer', UNKNOWN, 1n) };
  const balance = { to: apple.address, data: dataOf(apple, 'balanceOf', UNKNOWN) };
  const slot = `0x${'a5'.repeat(32)}`;
  const account = `the account ${UNKNOWN} at block ${number}`;
  const balanceOf = `slot ${balanceSlot(UNKNOWN)} of ${apple.address} at block ${number}`;
  try {
    for (const [lacking, { method, params }] of /** @type {const} */ ([
      [account, step('eth_getBalance', UNKNOWN, 'latest')],
      [account, step('eth_sendTransaction', { from: accounts[0], to: UNKNOWN, value: '0x1' })],
      [
        `slot ${slot} of ${apple.address} at block ${number}`,
        step('eth_getStorageAt', apple.address, slot, 'latest'),
      ],
      [balanceOf, step('eth_call', balance, 'latest')],
      [balanceOf, step('eth_estimateGas', transfer, 'latest')],
      [balanceOf, step('eth_sendTransaction', { ...transfer, gas: '0x186a0' })],
      ['the result of eth_getBlockReceipts ["0x1"]', step('eth_getBlockReceipts', '0x1')],
    ])) {
      const { error, result } = await endpoint.ask(method, ...params);
      const expected = `${lacking} ${remedy}`;
      if (error?.message !== expected)
        fail(`${method} on a pack: expected "${expected}", got ${show(error ?? result)}`);
    }
    const head = Number(await endpoint.call('eth_blockNumber'));
    if (head !== number) fail(`transactions that need missing entries made ${head - number} blocks`);
  } finally {
    await stop();
  }
}

/**
 * Checks that a node does not start from a pack with a changed bit.
 *
 * @param {string} file
 * @param {import('../differential/random.js').Random} random
 * @param {(text: string) => void} fail
 */
async function checkDamaged(file, random, fail) {
  const bytes = readFileSync(file);
  const damaged = `${file}.damaged`;
  for (let count = 0; count < DAMAGED; count += 1) {
    const changed = Buffer.from(bytes);
    const bit = random.below(8 * bytes.length);
    changed[bit >> 3] ^= 1 << (bit & 7);
    writeFileSync(damaged, changed);
    const words = [LEDGERD, 'start', '--port', '0', '--fork', damaged];
    const outcome = await run(process.execPath, words, { limitMs: 20_000 }).catch((error) => String(error));
    if (!/ended with 1\b/.test(outcome) || !outcome.includes(damaged)) {
      fail(`a pack with bit ${bit} changed is not refused: ${outcome}`);
    }
  }
}
