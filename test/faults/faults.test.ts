import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestNode } from '../../src/library/index.ts';
import { makeChain } from '../crash/chain.ts';
import { ForkScenario, placeContracts } from './fork-scenario.ts';
import { NodeScenario } from './node-scenario.ts';
import { compileShim, FAULT_KINDS, type FaultChoice } from './shim.ts';
import { StoreScenario } from './store-scenario.ts';

/** Set by `scripts/faults.js`; without them there is nothing to do here. */
const SECONDS = Number(process.env.FAULTS_SECONDS ?? 0);
const EVERY = Math.max(1, Number(process.env.FAULTS_EVERY ?? 1));
const SEED = Number(process.env.FAULTS_SEED ?? 0);

/** Milliseconds that the last runs may take beyond the time that was given. */
const REST_MS = 180_000;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A scenario that runs repeatedly, each time with another fault, and returns the number of counted calls. */
interface Scenario {
  run(fault?: FaultChoice): Promise<number>;
}

/** Makes calls fail until the time is over, spread over the whole; gives how many. */
async function campaign(title: string, scenario: Scenario, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  const calls = await scenario.run();
  const numbers = Array.from({ length: calls }, (_, index) => index + 1).filter(
    (at) => (at + SEED) % EVERY === 0,
  );
  // The calls of a campaign that ends early lie everywhere in the scenario, too.
  const order = numbers.map((at, index) => [(index * 0.618_034 + SEED * 0.137) % 1, at] as const);
  order.sort(([left], [right]) => left - right);
  let runs = 0;
  for (const [, at] of order) {
    if (performance.now() > end) break;
    const kind = FAULT_KINDS[(runs + SEED) % FAULT_KINDS.length] ?? 'EIO';
    try {
      await scenario.run({ at, kind });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${title}: call ${at} of ${calls} fails with ${kind}: ${message}`, { cause: error });
    }
    runs += 1;
  }
  print(`${title}: ${runs} of ${calls} writes, syncs and allocations made to fail; nothing is missing`);
  return runs;
}

test.runIf(SECONDS > 0)(
  'behavior: every file system fault is reported, and no acknowledged operation is lost',
  { timeout: SECONDS * 1_000 + REST_MS },
  async ({ skip }) => {
    if (!compileShim()) {
      print('SKIPPED: faults in the file system need Linux and a C compiler, cc');
      skip();
    }
    print(`faults in the file system for ${SECONDS} s, every ${EVERY}. call, with seed ${SEED}`);
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-faults-'));
    const chain = await makeChain(join(folder, 'chain'), SEED);
    const remote = await startTestNode({ ethereum: true });
    onTestFinished(() => remote.stop());
    const remoteUrl = remote.ethereumUrl ?? '';
    await placeContracts(remoteUrl);
    const runs = [
      await campaign('store', new StoreScenario(join(folder, 'store')), SECONDS / 3),
      await campaign('node', new NodeScenario(chain, join(folder, 'node')), SECONDS / 3),
      await campaign('fork', new ForkScenario(remoteUrl, join(folder, 'fork')), SECONDS / 3),
    ];
    expect(Math.min(...runs)).toBeGreaterThan(0);
    rmSync(folder, { recursive: true, force: true });
  },
);
