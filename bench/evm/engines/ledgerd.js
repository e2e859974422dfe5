import { Engine, HARDFORK } from '../ledgerd.js';
import { BLOCK, SENDER } from '../world.js';

/** Our engine, ready to run one message again and again on the same state. */
export async function openLedgerd({ world, to, data, gas }) {
  const engine = await Engine.create({ hardfork: HARDFORK, host: world.host() });
  engine.setBlock(BLOCK);
  const message = { caller: SENDER, to, value: 0n, data, gas, gasPrice: 0n, payForGas: false };
  const run = async () => {
    const start = performance.now();
    const checkpoint = engine.checkpoint();
    const { gasUsed, output, status } = engine.execute(message);
    engine.revertTo(checkpoint);
    return { time: performance.now() - start, gas: gasUsed, output, status };
  };
  return { run, close: async () => {} };
}
