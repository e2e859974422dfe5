import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestNode, type TestNode } from '../../src/library/index.ts';

const TESTS = 100;
const TRANSACTIONS = 30;
/** Tests after which the file has the pages that each of the others can use again. */
const FIRST_TESTS = 10;
/** A few pages, as a list of free pages may take. */
const SLACK_BYTES = 16 * 1_024;
const [FROM, TO] = [
  '0x0000000000000000000000000000000000000400',
  '0x0000000000000000000000000000000000000401',
];

let node: TestNode;

beforeAll(async () => {
  node = await startTestNode();
});

afterAll(() => node.stop());

const call = (method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params });

/** A figure of the node's metrics. */
async function figureOf(name: string): Promise<number> {
  const metrics = await (await fetch(`${node.url}/metrics`)).text();
  const [, figure] = new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics) ?? [];
  return Number(figure);
}

/** Bytes of the store. */
const bytesOf = (part: 'file' | 'used'): Promise<number> => figureOf(`ledgerd_store_${part}_bytes`);

async function runTest(): Promise<void> {
  const id = await call('evm_snapshot');
  for (let value = 1; value <= TRANSACTIONS; value += 1) {
    await call('eth_sendTransaction', { from: FROM, to: TO, value: `0x${value.toString(16)}` });
  }
  expect(await call('eth_blockNumber')).toBe(`0x${TRANSACTIONS.toString(16)}`);
  expect(await call('evm_revert', id)).toBe(true);
}

test('behavior: repeated writes and reverts do not grow the database file', async () => {
  // A worker that begins reads the store as it was then, for as long as its start takes.
  const workers = Number(process.env.LEDGERD_WORKERS ?? 0);
  await expect.poll(() => figureOf('ledgerd_workers')).toBe(workers);
  const used = await bytesOf('used');
  for (let run = 0; run < FIRST_TESTS; run += 1) await runTest();
  const file = await bytesOf('file');
  expect(file).toBeGreaterThan(used);
  for (let run = FIRST_TESTS; run < TESTS; run += 1) await runTest();
  expect(await bytesOf('file')).toBeLessThanOrEqual(1.25 * file);
  expect(await bytesOf('used')).toBeLessThanOrEqual(used + SLACK_BYTES);
  expect(await call('eth_blockNumber')).toBe('0x0');
});
