/** Loads a node with a mixture of reads and writes of Ethereum tools and watches its memory: see ../README.md. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM, readFlags } from '../harness/flags.js';
import { runCommand, startLedgerd } from '../harness/ledgerd.js';
import { memoryOf, processorSeconds } from '../harness/processor.js';
import { load, machine, median, print, showCount, table, toJson } from '../harness/report.js';
import { addressOf, MixedLoad, SENDERS } from './mixed-load.js';

const flags = readFlags({
  minutes: 60,
  share: 0.3,
  heap: 160,
  'block-interval': 0.5,
  program: PROGRAM,
  output: '',
});

const MEBIBYTE = 2 ** 20;
const MINUTE_MS = 60_000;
/** Time for a full collection, and for the system to take back what it freed. */
const COLLECTION_MS = 10_000;
/** Printed lines of the node's log. */
const PRINTED_LINES = 100;

const folder = mkdtempSync(join(tmpdir(), 'ledgerd-soak-'));
const dataDir = join(folder, 'node');
const accounts = Array.from({ length: SENDERS }, (_, index) => [
  '--ethereum-account',
  `${addressOf(index)}=100000`,
]);
const init = ['init', '--data-dir', dataDir, '--ethereum', '--blobs', '--state-trie'];
await runCommand([...init, '--base-fee', '1000000000', ...accounts.flat()], flags.program);

/** @type {object[]} measurements of the present minute */
let looks = [];
/** Memory of the other threads since the last look at the main one. */
const threads = new Map();
/** @type {object | undefined} */
let collected;
/** Lines of the node's log: only warnings and errors. */
let complaints = 0;
const words = ['--data-dir', dataDir, '--log-format', 'text', '--log-level', 'warn'];
/** Id of the node's process; undefined until it serves requests. */
let processId;
const node = await startLedgerd([...words, '--block-interval', String(flags['block-interval'])], {
  program: flags.program,
  nodeFlags: [
    `--max-old-space-size=${flags.heap}`,
    '--require',
    fileURLToPath(new URL('memory-probe.cjs', import.meta.url)),
  ],
  onLine: (line) => {
    if (!line.startsWith('{"memory"')) {
      complaints += 1;
      if (complaints <= PRINTED_LINES) print(line);
      return;
    }
    if (processId === undefined) return;
    const { memory, thread, isCollected } = JSON.parse(line);
    if (thread !== 0) {
      threads.set(thread, memory.heapTotal + memory.external);
      return;
    }
    const sum = [...threads.values()].reduce((total, bytes) => total + bytes, 0);
    threads.clear();
    const all = { ...memory, threads: sum, anonymous: memoryOf(processId).own * MEBIBYTE };
    if (isCollected) collected = all;
    else looks.push(all);
  },
});
processId = node.processId;

/** @type {[title: string, show: (row: any) => string][]} */
const COLUMNS = [
  ['minute', ({ minute }) => minute],
  ['requests', ({ requests }) => showCount(requests)],
  ['sends', ({ sends }) => showCount(sends)],
  ['anonymous, MiB', ({ anonymous }) => anonymous.toFixed(0)],
  ['least heap used', ({ heapUsed }) => heapUsed.toFixed(1)],
  ['heap total', ({ heapTotal }) => heapTotal.toFixed(0)],
  ['external', ({ external }) => external.toFixed(1)],
  ['array buffers', ({ arrayBuffers }) => arrayBuffers.toFixed(1)],
  ['threads', ({ threads }) => threads.toFixed(1)],
  ['other', ({ other }) => other.toFixed(0)],
  ['resident', ({ rss }) => rss.toFixed(0)],
];

/** Summarizes measurements in MiB; "other" is memory that no heap and no buffer accounts for. */
function summaryOf(measurements) {
  const of = (name) => median(measurements.map((look) => look[name])) / MEBIBYTE;
  const names = ['anonymous', 'heapTotal', 'external', 'arrayBuffers', 'threads', 'rss'];
  const row = Object.fromEntries(names.map((name) => [name, of(name)]));
  const heapUsed = Math.min(...measurements.map((look) => look.heapUsed)) / MEBIBYTE;
  return { ...row, heapUsed, other: row.anonymous - row.heapTotal - row.external - row.threads };
}

function printRow(row) {
  print(`| ${COLUMNS.map(([, show]) => show(row)).join(' | ')} |`);
}

const workload = new MixedLoad(node);
const rows = [];
print(`## Mixed soak: ${flags.minutes} minutes, ${flags.share} of a processor, heap of ${flags.heap} MiB`);
print(`${machine()}, load ${load()} at the start\n`);
print(
  table([COLUMNS.map(([title]) => title), []])
    .split('\n')
    .slice(0, 2)
    .join('\n'),
);
try {
  await workload.begin();
  for (let minute = 1; minute <= flags.minutes; minute += 1) {
    looks = [];
    await loadUntil(performance.now() + MINUTE_MS);
    const { requests, sends } = workload;
    const row = { minute: String(minute), requests, sends, ...summaryOf(looks) };
    rows.push(row);
    printRow(row);
  }
  await workload.end();
  process.kill(node.processId, 'SIGUSR2');
  await delay(COLLECTION_MS);
  if (collected !== undefined)
    printRow({ minute: 'collected', requests: 0, sends: 0, ...summaryOf([collected]) });
} finally {
  await node.stop();
  print(`\nresponses: ${JSON.stringify(Object.fromEntries(workload.outcomes), undefined, 1)}`);
  print(`lines of the node's log: ${complaints}`);
  if (flags.output !== '') writeFileSync(flags.output, toJson({ rows, collected }));
  rmSync(folder, { recursive: true, force: true });
}

/** Repeats the mixture, with pauses that keep node and load together below a share of a processor. */
async function loadUntil(end) {
  while (performance.now() < end) {
    const began = performance.now();
    const busy = () => processorSeconds(node.processId) + process.cpuUsage().user / 1e6;
    const before = busy();
    await Promise.race([workload.round(), node.failed]);
    const wanted = (1_000 * (busy() - before)) / flags.share;
    await delay(Math.max(0, wanted - (performance.now() - began)));
  }
}
