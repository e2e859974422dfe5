/**
 * Measures the index of event logs: queries inside the process, the cost of writing, and queries over HTTP beside
 * anvil. See ../README.md for the flags.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readFlags } from '../harness/flags.js';
import { load, machine, print, showCount, showProgress, table } from '../harness/report.js';
import { withScratch } from '../harness/scratch.js';
import { HTTP_HEAD, measureOverHttp, OUR_ADDRESS, startAnvil } from './anvil.js';
import { measureApplication } from './application.js';
import { buildChain, startNode } from './chain.js';
import { LOGS_PER_BLOCK } from './plan.js';
import { measureQueries } from './query.js';

const flags = readFlags({
  blocks: 20_000,
  'anvil-blocks': 5_000,
  'skip-anvil': false,
  'skip-application': false,
  'skip-queries': false,
});

/** Builds a chain, gives a node over it to `use`, and removes everything. */
function withChain(blocks, use) {
  return withScratch('logs', async (folder) => {
    const { seconds } = await buildChain(folder, blocks, (done) => showProgress(`${showCount(done)} blocks`));
    showProgress('\n');
    const bytes = statSync(join(folder, 'ledger', 'ledger.mdb')).size;
    const node = await startNode(folder);
    try {
      return await use(node, seconds, bytes);
    } finally {
      await node.close();
    }
  });
}

async function queries(blocks) {
  await withChain(blocks, async (node, seconds, bytes) => {
    const rows = measureQueries(node.ledger);
    print(
      `## Queries in the process: ${showCount(blocks)} blocks, ${showCount(blocks * LOGS_PER_BLOCK)} logs`,
    );
    print(`Making the chain took ${seconds.toFixed(0)} s; its file has ${showCount(bytes / 1e6)} MB.\n`);
    print(table(rows));
    print();
  });
}

async function overHttp(blocks) {
  const anvil = await startAnvil(blocks, (done) => showProgress(`${showCount(done)} blocks of anvil`));
  showProgress('\n');
  const rows = [HTTP_HEAD];
  try {
    rows.push(await measureOverHttp('anvil', anvil.url, blocks, anvil.address, anvil.seconds));
  } finally {
    await anvil.stop();
  }
  await withChain(blocks, async (node, seconds) => {
    rows.push(await measureOverHttp('ledgerd', node.url, blocks, OUR_ADDRESS, seconds));
  });
  print('## The same query over HTTP\n');
  print(table(rows));
  print();
}

print(`${machine()}, load at the start ${load()}\n`);
if (!flags['skip-queries']) await queries(flags.blocks);
if (!flags['skip-application']) {
  print('## What writing the index costs\n');
  print(table(await measureApplication()));
  print();
}
if (!flags['skip-anvil']) await overHttp(flags['anvil-blocks']);
