import { expect, test } from 'vitest';
import { memoryInUse } from '../fuzz/memory.ts';
import { compileWorldContracts, openWorld } from '../fuzz/world.ts';

const TRANSACTIONS = 100;
const ROUNDS = 100;
/** Rounds after which nothing may grow any more. */
const FIRST_ROUNDS = 10;
const MEMORY_GROWTH_MAX = 8 * 2 ** 20;

test('behavior: a hundred times snapshot, 100 transactions and revert leave file and memory as they were', async () => {
  const { dispatcher, store, wallet, close } = await openWorld(await compileWorldContracts());
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = JSON.parse(String(await dispatcher.handle(body)));
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const [from, to] = wallet.list().map((address) => `0x${Buffer.from(address).toString('hex')}`);
  const measure = () => ({ memory: memoryInUse(), ...store.statistics() });
  let early = measure();
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await call('evm_snapshot');
    for (let sent = 0; sent < TRANSACTIONS; sent += 1) {
      await call('eth_sendTransaction', { from, to, value: '0x1', gas: '0x14' });
    }
    expect(await call('evm_revert', id)).toBe(true);
    if (round === FIRST_ROUNDS) early = measure();
  }
  const late = measure();
  expect(late.fileBytes).toBe(early.fileBytes);
  expect(Math.abs(late.usedBytes - early.usedBytes)).toBeLessThan(early.usedBytes / 4);
  expect(late.memory - early.memory).toBeLessThan(MEMORY_GROWTH_MAX);
  await close();
});
