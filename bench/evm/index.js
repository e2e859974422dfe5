/**
 * Compares the engine with `@ethereumjs/evm` and anvil: `npm run bench:evm -- [PATTERN]`. Prints a table and writes
 * `results.json` beside this file.
 */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { machine, median, print, showProgress, table, threeDigits, toJson } from '../harness/report.js';
import { timed } from '../harness/rounds.js';
import { withScratch } from '../harness/scratch.js';
import { openLedgerd } from './engines/ledgerd.js';
import { balanceOf, hasFiles, workloads } from './workloads.js';

const ENGINES = ['ledgerd', 'anvil', 'ethereumjs'];
/** Alternations of the two fast engines; the slow one runs once. */
const ROUNDS = 2;
/** Least measurable time beside the fixed cost of a call. */
const SHORTEST_MILLISECONDS = 0.1;
const MEASURE = fileURLToPath(new URL('measure.js', import.meta.url));
const GOALS = { anvilMean: 1.8, ethereumjs: 30, balanceOfMicroseconds: 10 };
const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** Measures one workload on all engines, each time in a fresh process. */
async function measure({ name, isCurve = false, world, data }, folder) {
  const made = await world();
  const accounts = [...made.world.accounts].map(([address, account]) => [address, plain(account)]);
  const file = join(folder, 'workload.json');
  writeFileSync(file, JSON.stringify({ accounts, to: hex(made.to), data: hex(data) }));
  /** @type {Record<string, any[]>} */
  const samples = { ledgerd: [], anvil: [], ethereumjs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const engine of round === 0 ? ENGINES : ['ledgerd', 'anvil'])
      samples[engine].push(await inProcess(engine, file));
  }
  /** @type {Record<string, any>} */
  const row = { name, isCurve, gas: Number(samples.ledgerd[0].gas) };
  for (const engine of ENGINES) {
    row[engine] = { cold: least(samples[engine], 'cold'), warm: least(samples[engine], 'warm') };
  }
  const outcomes = new Set(
    ENGINES.flatMap((engine) => samples[engine].map(({ output, status }) => status + output)),
  );
  row.agrees = outcomes.size === 1;
  row.toAnvil = { cold: row.anvil.cold / row.ledgerd.cold, warm: row.anvil.warm / row.ledgerd.warm };
  row.toEthereumjs = row.ethereumjs.warm / row.ledgerd.warm;
  return row;
}

function plain({ balance, nonce, code, storage }) {
  return { balance: `${balance}`, nonce: `${nonce}`, code: hex(code), storage: [...storage] };
}

async function inProcess(engine, file) {
  const { stdout } = await promisify(execFile)(process.execPath, [MEASURE, engine, file], {
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
}

function least(samples, key) {
  return Math.max(Math.min(...samples.map((sample) => sample[key])), 0.0001);
}

/** Time of a balanceOf in microseconds: the median of batches in this process. */
async function measureBalanceOf() {
  const engine = await openLedgerd({ ...(await balanceOf()), gas: 1_000_000n });
  const batches = [];
  for (let batch = 0; batch < 200; batch++) {
    const { ms } = await timed(async () => {
      for (let call = 0; call < 100; call++) engine.execute();
    });
    batches.push(ms * 10);
  }
  await engine.close();
  return median(batches);
}

const TITLES = [
  'workload',
  'Mgas',
  'ledgerd ms',
  'Mgas/s',
  'anvil ms',
  'x anvil',
  'cold ms',
  'x anvil cold',
  'x ethereumjs',
  '',
];

function cellsOf(row) {
  const { name, gas, ledgerd, anvil, toAnvil, toEthereumjs } = row;
  const times = [
    ledgerd.warm,
    gas / ledgerd.warm / 1_000,
    anvil.warm,
    toAnvil.warm,
    ledgerd.cold,
    toAnvil.cold,
  ];
  return [name, ...[gas / 1e6, ...times, toEthereumjs].map(threeDigits), missed(row).join(', ')];
}

/** The goals that a workload misses. */
function missed(row) {
  const { isCurve, agrees, toAnvil, toEthereumjs } = row;
  const goals = [];
  if (!agrees) goals.push('RESULTS DIFFER');
  if (isTooShort(row)) goals.push('too short to be seen through HTTP');
  else if (!isCurve && toAnvil.warm < 1) goals.push('behind anvil');
  if (!isCurve && toEthereumjs < GOALS.ethereumjs) goals.push(`under ${GOALS.ethereumjs} x ethereumjs`);
  return goals;
}

/** Returns true if anvil's time is within the noise of its fixed cost, so that a comparison means nothing. */
function isTooShort({ anvil }) {
  return anvil.warm < SHORTEST_MILLISECONDS;
}

function geometricMean(numbers) {
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}

await withScratch('evm', async (folder) => {
  const pattern = new RegExp(process.argv[2] ?? '');
  print(machine());
  if (!hasFiles) print('the folder of benchmark files is absent: they are left out');
  const rows = [];
  for (const workload of workloads().filter(({ name }) => pattern.test(name))) {
    rows.push(await measure(workload, folder));
    showProgress(`${workload.name}\n`);
  }
  print(table([TITLES, ...rows.map(cellsOf)]));
  const counted = rows.filter((row) => !row.isCurve && !isTooShort(row));
  const means = {
    toAnvilWarm: geometricMean(counted.map(({ toAnvil }) => toAnvil.warm)),
    toAnvilCold: geometricMean(counted.map(({ toAnvil }) => toAnvil.cold)),
    toEthereumjs: geometricMean(counted.map(({ toEthereumjs }) => toEthereumjs)),
  };
  const balanceOfMicroseconds = await measureBalanceOf();
  print(
    `geometric mean without curves: ${means.toAnvilWarm.toFixed(2)} x anvil warm (goal ${GOALS.anvilMean}), ` +
      `${means.toAnvilCold.toFixed(2)} x cold, ${means.toEthereumjs.toFixed(0)} x ethereumjs`,
  );
  print(`ERC-20 balanceOf: ${balanceOfMicroseconds.toFixed(2)} us (goal ${GOALS.balanceOfMicroseconds})`);
  const results = { machine: machine(), means, balanceOfMicroseconds, rows };
  writeFileSync(new URL('results.json', import.meta.url), toJson(results));
});
