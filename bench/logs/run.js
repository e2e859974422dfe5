/**
 * Measures the index of logs: queries inside the process, what writing costs, and queries over HTTP beside
 * anvil. See ../README.md for the flags.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print, showCount, showProgress, table } from '../timing.js';
import { HTTP_HEAD, measureOverHttp, OUR_ADDRESS, startAnvil } from './anvil.js';
import { measureApplication } from './application.js';
import { buildChain, startNode } from './chain.js';
import { LOGS_PER_BLOCK } from './plan.js';
import { measureQueries } from './query.js';

const { values: flags } = parseArgs({
  options: {
    blocks: { type: 'string', default: '20000' },
    'anvil-blocks': { type: 'string', default: '5000' },
    'skip-anvil': { type: 'boolean', default: false },
    'skip-application': { type: 'boolean', default: false },
    'skip-queries': { type: 'boolean', default: false },
  },
});

/** Builds a chain, gives a node over it to `use`, and removes everything. */
async function withChain(blocks, use) {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-bench-'));
  try {
    const { seconds } = await buildChain(folder, blocks, (done) => showProgress(`${showCount(done)} blocks`));
    showProgress('\n');
    const bytes = statSync(join(folder, 'ledger', 'ledger.mdb')).size;
    const node = await startNode(folder);
    try {
      return await use(node, seconds, bytes);
    } finally {
      await node.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function queries(blocks) {
  await withChain(blocks, async (node, seconds, bytes) => {
    const rows = await measureQueries(node.ledger);
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

const [load] = loadavg();
print(
  `${cpus().length} × ${cpus()[0]?.model}, Node.js ${process.version}, load at the start ${load?.toFixed(1)}\n`,
);
if (!flags['skip-queries']) await queries(Number(flags.blocks));
if (!flags['skip-application']) {
  print('## What writing the index costs\n');
  print(table(await measureApplication()));
  print();
}
if (!flags['skip-anvil']) await overHttp(Number(flags['anvil-blocks']));
