/** Forks of a remote chain for the rows of tools on them. */

import { startRemoteChain } from './remote-chain.js';
import { startFork } from './targets.js';

/** @typedef {import('./targets.js').Target} Target */
/** @typedef {import('./remote-chain.js').World} World */

/**
 * @callback Body checks a tool
 * @param {Target} forked
 * @param {World} world
 * @param {Target} remote
 * @returns {Promise<void>}
 */

/**
 * Runs checks on a fork by the program of the target.
 *
 * @param {import('./checks.js').Checks} checks
 * @param {Target} target
 * @param {Body} body
 */
export async function onFork(checks, target, body) {
  const { name } = target;
  if (name === 'url') return checks.skip('a forked chain', 'for nodes that the suite starts');
  const { target: remote, world } = await startRemoteChain();
  try {
    const forked = await startFork(name, remote.url);
    try {
      await body(forked, world, remote);
    } finally {
      await forked.stop();
    }
  } finally {
    await remote.stop();
  }
}
