/**
 * Measures one engine and one workload in a separate process: `node measure.js ENGINE FILE`. The file is a workload
 * written by `index.js`; the result is printed as one line of JSON.
 */

import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { median } from '../harness/report.js';
import { toAddress } from './ledgerd.js';
import { World } from './world.js';

const ENGINES = {
  ledgerd: async () => (await import('./engines/ledgerd.js')).openLedgerd,
  anvil: async () => (await import('./engines/anvil.js')).openAnvil,
  ethereumjs: async () => (await import('./engines/ethereumjs.js')).openEthereumjs,
};
/** Gas of every message; more than any workload takes. */
const GAS = 10_000_000_000n;
/** Warm runs: so many at least, and as many more as fit into the time. */
const RUNS = 3;
const MILLISECONDS = Number(process.env.BENCH_MILLISECONDS ?? 500);

const [engine, file] = process.argv.slice(2);
const { accounts, to, data } = JSON.parse(readFileSync(file, 'utf8'));
const bytesOf = (hex) => Buffer.from(hex, 'hex');
const world = new World();
for (const [address, { balance, nonce, code, storage }] of accounts) {
  const account = {
    balance: BigInt(balance),
    nonce: BigInt(nonce),
    code: bytesOf(code),
    storage: new Map(storage),
  };
  world.put(bytesOf(address), account);
}

const open = await ENGINES[engine]();
const { run, fixed, close } = await open({
  world,
  to: toAddress(bytesOf(to)),
  data: bytesOf(data),
  gas: GAS,
});
// The connection and the server are warmed up by calls without code, so that `cold` is the execution's own.
const fixedBefore = fixed === undefined ? 0 : median(await repeat(fixed, 20));
const first = await run();
const cold = first.time - fixedBefore;
await warmUp();
const started = performance.now();
let least = Number.POSITIVE_INFINITY;
let leastFixed = fixed === undefined ? 0 : Number.POSITIVE_INFINITY;
for (let runs = 0; runs < RUNS || performance.now() - started < MILLISECONDS; runs++) {
  least = Math.min(least, (await run()).time);
  if (fixed !== undefined) leastFixed = Math.min(leastFixed, (await fixed()).time);
}
await close();
const warm = least - leastFixed;
const output = Buffer.from(first.output).toString('hex');
process.stdout.write(
  JSON.stringify({ cold, warm, output, status: first.status, gas: first.gas?.toString() }),
);

/** Compilers in the background need time; the rests leave it to them even where there is one processor. */
async function warmUp() {
  const started = performance.now();
  do {
    await run();
    await setTimeout(20);
  } while (performance.now() - started < MILLISECONDS);
}

async function repeat(work, count) {
  const results = [];
  for (let index = 0; index < count; index++) results.push((await work()).time);
  return results;
}
