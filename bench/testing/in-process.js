/** Runs nodes in the process of their tests, which is a separate one here. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newerNode } from '../harness/hardhat.js';
import { environmentOf } from '../peers/peers.js';

const SUITE = fileURLToPath(new URL('suite-process.js', import.meta.url));
/** The peers that offer that, and the Node.js for it. */
const PEERS = new Map([
  ['ledgerd', () => process.execPath],
  ['hardhat', newerNode],
]);

/**
 * Starts a process with tests and a node in it.
 *
 * @param {{ name: string }} peer
 * @param {{ program: string, folder: string }} options
 * @returns {Promise<{ processId: number, runTests: (tests: number) => Promise<number>, stop: () => Promise<void> } |
 *   undefined>} `runTests` gives how many tests a second there were; undefined where the peer offers no such thing
 * @throws {Error} when the process ends
 */
export async function startInProcess({ name }, { program, folder }) {
  const execPath = PEERS.get(name)?.();
  if (execPath === undefined) return undefined;
  const child = fork(SUITE, [name, program], { env: environmentOf(folder), execPath, stdio: 'inherit' });
  const ended = once(child, 'exit').then(([status, signal]) => {
    throw new Error(`the tests with ${name} in their process ended: ${signal ?? status}`);
  });
  ended.catch(() => undefined);
  const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  await answer();
  return {
    processId: child.pid ?? 0,
    runTests: async (tests) => {
      child.send(tests);
      const { value, failure } = await answer();
      if (failure !== undefined) throw new Error(failure);
      return value;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}
