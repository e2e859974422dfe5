/** A node without a store takes a chain over from the log. */

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withConnection } from '../harness/connection.js';
import { runCommand, startLedgerd } from '../harness/ledgerd.js';
import { processorTimes } from '../harness/processor.js';
import { median, showCount, table } from '../harness/report.js';
import { makeChain } from './chain.js';
import { startLogServers } from './nats.js';

const LOOK_MS = 10;

/**
 * @typedef {object} CatchUpOptions
 * @property {number} blocks
 * @property {number} every so many blocks one has a transfer
 * @property {number} rounds
 * @property {readonly string[]} programs that are compared, each in turn
 * @property {string} nats
 * @property {string} scratch
 */

/**
 * Times the catch-up of each program with the same log, alternating.
 *
 * @param {CatchUpOptions} options
 * @returns {Promise<readonly (readonly { rate: number, processor: number }[])[]>} by program: blocks a second, and
 *   microseconds of the processor for a block
 */
export async function measureCatchUp({ blocks, every, rounds, programs, nats, scratch }) {
  const folder = join(scratch, `chain-${every}`);
  await makeChain(folder, blocks, every);
  const servers = await startLogServers(join(scratch, `servers-${every}`), 1, nats);
  try {
    await runCommand(['block-log', 'seed', '--data-dir', folder, ...servers.words]);
    const genesis = join(folder, 'genesis.json');
    /** @type {{ rate: number, processor: number }[][]} */
    const results = programs.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, program] of programs.entries()) {
        const dataDir = join(scratch, `late-${every}-${round}-${index}`);
        const words = ['--data-dir', dataDir, '--genesis', genesis, ...servers.words];
        results[index]?.push(await catchUp(program, words, blocks));
      }
    }
    return results;
  } finally {
    await servers.stop();
  }
}

/**
 * Measures a node from its first response to the last block.
 *
 * @param {string} program
 * @param {readonly string[]} words flags of `ledgerd start`
 * @param {number} blocks
 */
async function catchUp(program, words, blocks) {
  const node = await startLedgerd(words, { program });
  try {
    return await withConnection(node.port, async (connection) => {
      const height = async () => Number(await connection.call('eth_blockNumber'));
      const [first, before] = [await height(), processorTimes(node)];
      while ((await height()) < blocks) await delay(LOOK_MS);
      const [took, after] = [blocks - first, processorTimes(node)];
      return {
        rate: took / (after.at - before.at),
        processor: ((after.server - before.server) / took) * 1e6,
      };
    });
  } finally {
    await node.stop();
  }
}

/** @param {readonly (readonly [name: string, results: Awaited<ReturnType<typeof measureCatchUp>>])[]} chains */
export function catchUpTable(chains, programs) {
  const rows = [['blocks', 'program', 'blocks a second', 'slowest … fastest', 'processor for a block']];
  for (const [name, results] of chains) {
    for (const [index, rounds] of results.entries()) {
      const rates = rounds.map(({ rate }) => rate);
      rows.push([
        name,
        programs[index] ?? '',
        showCount(median(rates)),
        `${showCount(Math.min(...rates))} … ${showCount(Math.max(...rates))}`,
        `${showCount(median(rounds.map(({ processor }) => processor)))} µs`,
      ]);
    }
  }
  return table(rows);
}
