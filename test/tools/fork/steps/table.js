/** The table of steps, in the order in which they run. */

import { calls, estimates, reverts } from './calls.js';
import { resets, snapshots, state, time } from './control.js';
import { logs, remoteHistory, traces } from './history.js';
import { overrides } from './overrides.js';
import { reads } from './reads.js';
import { impersonations, signed } from './senders.js';
import { sends } from './sends.js';

/**
 * Returns groups of steps by name; later ones use results of earlier ones.
 *
 * @param {import('../world.js').World} world
 * @param {import('../../differential/random.js').Random} random
 * @returns {Promise<[name: string, steps: import('../step.js').Step[]][]>}
 */
export async function stepsOf(world, random) {
  return [
    ['reads', reads(world, random)],
    ['history of the remote chain', remoteHistory(world, random)],
    ['calls', calls(world, random)],
    ['reverts', reverts(world)],
    ['calls with overrides', overrides(world)],
    ['estimates', estimates(world, random)],
    ['sends', sends(world, random)],
    ['impersonated accounts', impersonations(world, random)],
    ['signed transactions', await signed(world)],
    ['logs across the fork', logs(world)],
    ['traces', traces(world)],
    ['snapshots', snapshots(world)],
    ['time', time(world)],
    ['changed state and pending transactions', state(world)],
  ];
}

/**
 * Returns the steps that fork the remote chain again.
 *
 * @param {import('../world.js').World} world
 * @param {string} url of the remote node
 * @returns {[name: string, steps: import('../step.js').Step[]]}
 */
export const resetsOf = (world, url) => ['resets', resets(world, url)];
