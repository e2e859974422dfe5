/** Compares ledgerd with anvil as forks of one chain. */

import { differencesOf, nameOf, show, unexpected } from './compare.js';
import { REASONS, reasonOf } from './differences.js';
import { forkWithAnvil, forkWithLedgerd } from './nodes.js';
import { Side } from './side.js';
import { resetsOf, stepsOf } from './steps/table.js';

/** Greatest number of printed places at which a response differs. */
const SHOWN_PLACES = 5;

/** @typedef {{ print(line: string): void, hasExamples: boolean }} Reporting */

/**
 * Runs the table of steps on both.
 *
 * @param {import('./nodes.js').Node} remote
 * @param {import('./world.js').World} world
 * @param {import('../differential/random.js').Random} random
 * @param {Reporting} reporting
 * @returns {Promise<number>} the number of failures: differences without a reason, reasons without a difference
 */
export async function compareWithAnvil(remote, world, random, reporting) {
  const { url } = remote.endpoint;
  const nodes = await Promise.all([
    forkWithLedgerd(`${url}@${world.number}`),
    forkWithAnvil(url, world.number),
  ]);
  try {
    const [ledgerd, anvil] = nodes.map(({ endpoint }) => endpoint);
    await shareCoinbase(ledgerd, anvil);
    const remoteHashes = new Set(world.blockHashes);
    const sides = [ledgerd, anvil].map((endpoint) => new Side(endpoint, remoteHashes));
    const groups = [...(await stepsOf(world, random)), resetsOf(world, url)];
    return await compareGroups(groups, sides, reporting);
  } finally {
    await Promise.all(nodes.map(({ stop }) => stop()));
  }
}

/**
 * Gives anvil the coinbase of ledgerd.
 *
 * @param {import('../harness/endpoint.js').Endpoint} ledgerd
 * @param {import('../harness/endpoint.js').Endpoint} anvil
 */
async function shareCoinbase(ledgerd, anvil) {
  const coinbase = await ledgerd.call('eth_coinbase');
  await anvil.call('anvil_setCoinbase', coinbase);
  await anvil.call('anvil_setBalance', coinbase, await ledgerd.call('eth_getBalance', coinbase, 'latest'));
}

/**
 * @param {readonly [string, import('./step.js').Step[]][]} groups
 * @param {readonly Side[]} sides
 * @param {Reporting} reporting
 */
async function compareGroups(groups, [ours, theirs], { print, hasExamples }) {
  /** @type {Map<string, Map<import('./step.js').Step, string>>} */
  const explained = new Map(REASONS.map((reason) => [reason, new Map()]));
  let [steps, failures] = [0, 0];
  const fail = (/** @type {string} */ text) => {
    failures += 1;
    print(`FAIL ${text}`);
  };
  for (const [name, group] of groups) {
    for (const step of group) {
      const [here, there] = await Promise.all([ours.run(step), theirs.run(step)]);
      const surprise = unexpected(step, here);
      if (surprise !== undefined) fail(`${nameOf(step)}: ${surprise}`);
      const unexplained = [];
      for (const difference of differencesOf(ours.named(step, here), theirs.named(step, there))) {
        const reason = reasonOf(step, difference);
        const text = `${difference.path}: ${show(difference.ours)}, anvil ${show(difference.theirs)}`;
        if (reason === undefined) unexplained.push(text);
        else if (!explained.get(reason)?.has(step)) explained.get(reason)?.set(step, text);
      }
      if (unexplained.length > 0) fail([nameOf(step), ...unexplained.slice(0, SHOWN_PLACES)].join('\n  '));
    }
    steps += group.length;
    print(`${name}: ${group.length} steps`);
  }
  print(`\n${steps} steps beside anvil; explained differences, with the steps that have them:`);
  for (const [reason, of] of explained) {
    if (of.size === 0) fail(`no step differs any more: ${reason}`);
    else print(`${String(of.size).padStart(4)}  ${reason}`);
    const [example] = of;
    if (hasExamples && example !== undefined) print(`      ${nameOf(example[0])}\n      ${example[1]}`);
  }
  return failures;
}
