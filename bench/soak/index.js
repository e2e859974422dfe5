/** Sends many mixed transactions through a real node and detects degradation: see ../README.md. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readFlags } from '../harness/flags.js';
import { load, machine, print, showCount, showProgress, table, toJson } from '../harness/report.js';
import { createAccounts } from './accounts.js';
import { makeChain } from './chain.js';
import { Meter } from './meter.js';
import { diskOf, startNode } from './node.js';
import { measureRestart } from './restart.js';
import { Senders } from './senders.js';
import { judge } from './verdict.js';
import { MIXTURE } from './workload.js';

const flags = readFlags({
  count: 1_000_000,
  minutes: 0,
  accounts: 0,
  samples: 20,
  restarts: 4,
  senders: 1,
  batch: 100,
  'block-interval': 1,
  output: '',
  keep: false,
});

const { minutes, samples } = flags;
/** Number of transactions; with `--minutes` only the time is a limit. */
const count = minutes === 0 ? flags.count : Number.MAX_SAFE_INTEGER;
const target = minutes === 0 ? `${showCount(count)} transactions` : `${minutes} minutes`;
/** Samples after which it is measured how long a start takes. */
const restartEvery = Math.max(1, Math.floor(samples / Math.max(1, flags.restarts)));
/** Milliseconds between two measurements of the memory. */
const LOOK_MS = 1_000;
/** Milliseconds between two polls of pending transactions. */
const SETTLE_MS = 100;

/** Sends the next part of the transactions, and returns the measurements until all of them are in blocks. */
async function measurePart(node, senders, chain, last) {
  const meter = new Meter(node, chain.folder);
  await senders.refer(node.url);
  await meter.begin();
  const before = senders.sent;
  const until = minutes === 0 ? Number.MAX_SAFE_INTEGER : Date.now() + (minutes * 60_000) / samples;
  const sending = senders.send(last, until);
  const over = Promise.race([sending, node.failed]).then(() => true);
  while (!(await Promise.race([over, delay(LOOK_MS, false)]))) {
    await meter.look();
    showProgress(`${showCount(senders.sent)} transactions of ${target}`);
  }
  while (await meter.isPending()) await delay(SETTLE_MS);
  return { transactions: senders.sent, ...(await meter.end(senders.sent - before)) };
}

async function soak(folder) {
  const chain = await makeChain(join(folder, 'node'), flags.senders);
  const node = await startNode(chain.folder, '--block-interval', String(flags['block-interval']));
  try {
    await createAccounts(node.url, chain, flags.accounts, (created) =>
      showProgress(`${showCount(created)} of ${showCount(flags.accounts)} accounts`),
    );
    const senders = await Senders.start(node.url, chain, flags.batch, flags.accounts);
    try {
      return await measure(node, senders, chain, () => measureRestart(chain.folder, folder));
    } finally {
      await senders.stop();
    }
  } finally {
    await node.stop();
    for (const line of node.complaints) print(line);
  }
}

async function measure(node, senders, chain, restart) {
  const bytesBefore = diskOf(chain.folder);
  const rows = [];
  const restarts = [await restart()];
  for (let sample = 1; sample <= samples; sample += 1) {
    const row = await measurePart(node, senders, chain, Math.round((count * sample) / samples));
    rows.push(row);
    if (sample === 1) printHead();
    printRow(row);
    if (sample % restartEvery === 0 || sample === samples) restarts.push(await restart());
  }
  return { kinds: senders.kinds, rows, restarts, bytesBefore };
}

/** @type {[title: string, show: (row: any) => string][]} */
const COLUMNS = [
  ['transactions', ({ transactions }) => showCount(transactions)],
  ['height', ({ height }) => showCount(height)],
  ['tx/s', ({ rate }) => rate.toFixed(0)],
  ['tx/block', ({ perBlock }) => perBlock.toFixed(0)],
  ['apply, ms/tx', ({ applyMs }) => applyMs.toFixed(3)],
  ['commit, ms/tx', ({ commitMs }) => commitMs.toFixed(3)],
  ['block, ms', ({ blockMs }) => blockMs.toFixed(1)],
  ['processor, ms/tx', ({ processorMs }) => processorMs.toFixed(3)],
  ['own memory, MiB', ({ own }) => own.toFixed(0)],
  ['at most', ({ ownMost }) => ownMost.toFixed(0)],
  ['resident, MiB', ({ residentMost }) => residentMost.toFixed(0)],
  ['heap, MiB', ({ heapLeast }) => heapLeast.toFixed(1)],
  ['buffers, MiB', ({ buffersMost }) => buffersMost.toFixed(1)],
  ['disk, MiB', ({ disk }) => disk.toFixed(0)],
];

/** The rows come as they are measured: a soak takes long. */
function printHead() {
  showProgress('\n');
  const [head, rule] = table([COLUMNS.map(([title]) => title), []]).split('\n');
  print(`${head}\n${rule}`);
}

function printRow(row) {
  showProgress('\r');
  print(`| ${COLUMNS.map(([, show]) => show(row)).join(' | ')} |`);
}

const mixture = Object.entries(MIXTURE).map(([kind, share]) => `${share} % ${kind}`);
const prefilled = flags.accounts === 0 ? '' : `, ${showCount(flags.accounts)} accounts at the start`;
print(`## Soak: ${target} (${mixture.join(', ')})${prefilled}`);
print(`${machine()}, load ${load()} at the start\n`);
const folder = mkdtempSync(join(tmpdir(), 'ledgerd-soak-'));
try {
  const results = await soak(folder);
  const { lines, holds } = judge(results);
  print(`\n${lines.join('\n')}`);
  if (flags.output !== '') writeFileSync(flags.output, toJson(results));
  process.exitCode = holds ? 0 : 1;
} finally {
  if (flags.keep) print(`the folder is kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
