/** Makes blocks at a steady pace. */

import { Connection } from '../harness/connection.js';
import { now } from './clock.js';

/** Three topics of a log, as the emitter takes them. */
const LOG = `${'11'.repeat(32)}${'22'.repeat(32)}${'33'.repeat(32)}`;
const GAS = '0x186a0';

/**
 * Makes blocks for a while, each with so many logs in one transaction, and one transfer.
 *
 * @param {{ port: number, path: string, from: string, to: string, emitter: string }} target
 * @param {{ perSecond: number, seconds: number, logs: number }} pace
 * @param {(at: number) => void} onAsked told when the next block is asked for
 * @returns {Promise<{ made: number, seconds: number }>}
 */
export async function makeBlocks({ port, path, from, to, emitter }, pace, onAsked) {
  const connection = await Connection.open(port, path);
  const emission = { from, to: emitter, data: `0x${LOG.repeat(pace.logs)}`, gas: GAS };
  const transfer = { from, to, value: '0x1', gas: GAS };
  const every = 1_000 / pace.perSecond;
  const begin = now();
  let made = 0;
  try {
    while (now() - begin < 1_000 * pace.seconds) {
      const wait = begin + made * every - now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      await connection.call('eth_sendTransaction', emission);
      await connection.call('eth_sendTransaction', transfer);
      onAsked(now());
      await connection.call('evm_mine');
      made += 1;
    }
    return { made, seconds: (now() - begin) / 1_000 };
  } finally {
    connection.close();
  }
}
