/** Measures the start of a node on a chain. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../../test/rpc-client.js';
import { runCommand } from '../harness/ledgerd.js';
import { startNode } from './node.js';

/** Starts on the same copy: the first one reads the file into the system's memory. */
const STARTS = 5;

/**
 * Copies the chain of a running node and starts another one on the copy, a few times. The running node goes on, so
 * that its memory is not disturbed.
 *
 * @returns the height, and the fastest of the starts: its milliseconds, and those that it used a processor
 */
export async function measureRestart(dataDir, folder) {
  const copy = join(folder, 'copy');
  await runCommand(['backup', '--data-dir', dataDir, '--to', copy]);
  /** @type {{ times: number[], processorTimes: number[] }} */
  const { times, processorTimes } = { times: [], processorTimes: [] };
  let height = 0;
  for (let start = 0; start < STARTS; start += 1) {
    const node = await startNode(copy);
    times.push(node.startMs);
    processorTimes.push(node.startProcessorMs);
    height = Number(await call(node.url, 'eth_blockNumber'));
    await node.stop();
  }
  rmSync(copy, { recursive: true });
  return { height, startMs: Math.min(...times), startProcessorMs: Math.min(...processorTimes) };
}
