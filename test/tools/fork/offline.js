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
    const recorded = await outcomesOn(await forkWithLedgerd(source, ['--data-dir', data]), world, steps);
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
    print(`${steps.length} steps without a remote node`);
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
 * Checks the errors for an account and a slot that nobody has read.
 *
 * @param {string} file
 * @param {import('./world.js').World} world
 * @param {(text: string) => void} fail
 */
async function checkMissing(file, { apple, number }, fail) {
  const { endpoint, stop } = await forkWithLedgerd(file);
  const start = `start with --fork URL@${number} --data-dir FOLDER`;
  const remedy = `${start}, run the same calls, and pack again (ledgerd fork pack)`;
  try {
    const balance = { to: apple.address, data: dataOf(apple, 'balanceOf', UNKNOWN) };
    const slot = `0x${'a5'.repeat(32)}`;
    for (const [words, method, ...params] of [
      [`the account ${UNKNOWN} at block ${number} was not`, 'eth_getBalance', UNKNOWN, 'latest'],
      [
        `slot ${slot} of ${apple.address} at block ${number} was not`,
        'eth_getStorageAt',
        apple.address,
        slot,
        'latest',
      ],
      [` of ${apple.address} at block ${number} was not`, 'eth_call', balance, 'latest'],
    ]) {
      const { error, result } = await endpoint.ask(/** @type {string} */ (method), ...params);
      const text = error?.message ?? `the result ${result}`;
      const isRight = text.includes(/** @type {string} */ (words)) && text.includes(remedy);
      if (!isRight) fail(`${method} of what a pack lacks: expected "…${words} … ${remedy}", got ${text}`);
    }
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
