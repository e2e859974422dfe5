import { setTimeout } from 'node:timers/promises';
import { Engine, forgetResults, HARDFORK, startWarmUp } from '../ledgerd.js';
import { storeWorld } from '../stored-world.js';
import { BLOCK, SENDER } from '../world.js';

/** As long as the warm-up of a node takes, and a little more. */
const WARM_UP_MS = 500;

/** Our engine, ready to run one message again and again on the same state. */
export async function openLedgerd({ world, to, data, gas }) {
  const endWarmUp = startWarmUp(HARDFORK);
  await setTimeout(WARM_UP_MS);
  endWarmUp();
  const { host, close } = storeWorld(world);
  const engine = await Engine.create({ hardfork: HARDFORK, host });
  engine.setBlock(BLOCK);
  const message = { caller: SENDER, to, value: 0n, data, gas, gasPrice: 0n, payForGas: false };
  const execute = () => {
    const start = performance.now();
    const checkpoint = engine.checkpoint();
    const { gasUsed, output, status } = engine.execute(message);
    engine.revertTo(checkpoint);
    return { time: performance.now() - start, gas: gasUsed, output, status };
  };
  const run = async () => {
    forgetResults();
    return execute();
  };
  return { run, execute, close };
}
