import { expect, test } from 'vitest';
import { type BlockSummary, type Ledger, signTransaction } from '../ledger/index.ts';
import {
  accountAt,
  keyAt,
  openTestLedger,
  PRODUCER_KEY,
  GENESIS_TIME as START,
  testGenesis,
} from '../ledger/ledger.testing.ts';
import { contractId, coreAmount, type Operation, type Signature } from '../protocol/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { systemTime } from '../time/time.ts';
import { BlockPipeline } from './block-pipeline.ts';

const ALICE = accountAt(0);
const KEY = keyAt(0);
/** Init code of a contract that recovers a signature until 10,000 gas are left. */
const RECOVERING = `6016600c60003960166000f35b5f5f5f5f60015afa506127105a115f57${'00'.repeat(4)}`;

/** Opens a ledger with enough pending transactions for a block of many time slices. */
async function openBusy(transactions: number): Promise<Ledger> {
  const genesis = testGenesis({ hardfork: 'cancun' });
  const { ledger } = await openTestLedger({ genesis, mining: 'manual' });
  const submit = (operation: Operation, number: number): void => {
    const head = ledger.blocks.head();
    ledger.pool.submit(signTransaction(operation, KEY, ledger.parameters.chainId, head, START + 60 + number));
  };
  const common = { registrar: ALICE, value: coreAmount(0n) };
  const creation = { ...common, fee: coreAmount(1_000_000n), code: RECOVERING, ethAccuracy: false };
  submit({ type: 'contractCreate', ...creation }, 0);
  if (transactions > 0) ledger.miner.mine();
  for (let number = 0; number < transactions; number += 1) {
    const call = { ...common, fee: coreAmount(8_000_000n), callee: contractId(0), code: '' };
    submit({ type: 'contractCall', ...call }, number);
  }
  // The block has to execute them again.
  ledger.chain.handleReorg();
  return ledger;
}

function pipelineOf(ledger: Ledger, intervalMs: number): BlockPipeline {
  return new BlockPipeline({
    time: systemTime,
    backoff: new CpuBackoff(systemTime),
    ledger,
    intervalMs,
    onFailure: (error) => {
      throw error;
    },
  });
}

/** Counts the iterations of the event loop before the head changes. */
async function iterationsDuring(ledger: Ledger, adding: BlockSummary | Promise<BlockSummary>) {
  const head = ledger.blocks.head().number;
  let iterations = 0;
  let isOver = false;
  const look = (): void => {
    if (isOver) return;
    if (ledger.blocks.head().number === head) iterations += 1;
    setImmediate(look);
  };
  setImmediate(look);
  const summary = await adding;
  isOver = true;
  return { iterations, summary };
}

test('default: the event loop keeps running while a long block is built', async () => {
  const ledger = await openBusy(60);
  const { iterations, summary } = await iterationsDuring(ledger, pipelineOf(ledger, 3_600_000).mine());
  expect(summary).toMatchObject({ number: 2, operationCount: 60 });
  expect(iterations).toBeGreaterThan(3);
});

test('default: a block of all pending transactions is made in slices, however short the interval is', async () => {
  const ledger = await openBusy(60);
  const timestamp = START + 1_000;
  const adding = pipelineOf(ledger, 1).mineAll(timestamp);
  const { iterations, summary } = await iterationsDuring(ledger, adding);
  expect(summary).toMatchObject({ number: 2, operationCount: 60, header: { timestamp } });
  expect(iterations).toBeGreaterThan(3);
  expect(ledger.clock.now()).toBeGreaterThanOrEqual(timestamp);
});

test('default: the event loop continues while a long block is imported', async () => {
  const [ledger, other] = [await openBusy(60), await openBusy(0)];
  ledger.miner.mine();
  const blocks = [1, 2].map((number) => ledger.blocks.nativeBlock(number));
  const pipeline = pipelineOf(other, 3_600_000);
  const iterations: number[] = [];
  for (const block of blocks) {
    if (block !== undefined)
      iterations.push((await iterationsDuring(other, pipeline.importBlock(block))).iterations);
  }
  expect(other.blocks.head()).toEqual(ledger.blocks.head());
  expect(iterations[1]).toBeGreaterThan(3);
});

test('args: a block uses its share of the interval, and other transactions stay pending', async () => {
  const ledger = await openBusy(60);
  const { operationCount } = await pipelineOf(ledger, 20).mine();
  expect(operationCount).toBeGreaterThan(0);
  expect(operationCount).toBeLessThan(60);
  expect(ledger.pool.pendingCount).toBe(60 - operationCount);
});

test('behavior: a block that one time slice makes is added synchronously', async () => {
  const ledger = await openBusy(0);
  expect(pipelineOf(ledger, 3_600_000).mine()).toMatchObject({ number: 1, operationCount: 1 });
});

test('error: closing discards a block in flight and leaves the chain unchanged', async () => {
  const ledger = await openBusy(60);
  const pipeline = pipelineOf(ledger, 3_600_000);
  const made = Promise.resolve(pipeline.mine());
  expect(pipeline.whenIdle()).toBeInstanceOf(Promise);
  pipeline.close();
  await expect(made).rejects.toThrow('the node stops');
  expect([ledger.blocks.head().number, ledger.pool.pendingCount, pipeline.whenIdle()]).toEqual([
    1,
    60,
    undefined,
  ]);
});

/** Opens a ledger whose key signs once `answer` is called. */
async function openRemote() {
  const answers: (() => void)[] = [];
  const sign = (digest: Uint8Array) =>
    new Promise<Signature>((resolve) => answers.push(() => resolve(PRODUCER_KEY.sign(digest))));
  const { ledger } = await openTestLedger({
    keys: [{ publicKey: PRODUCER_KEY.publicKey, sign }],
    mining: 'scheduled',
  });
  const answer = (): void => (answers.shift() ?? expect.fail('nothing is to be signed'))();
  return { ledger, answer };
}

test('behavior: a block waits for a signer that signs elsewhere, and the event loop keeps running', async () => {
  const { ledger, answer } = await openRemote();
  const mining = pipelineOf(ledger, 1_000).mine();
  expect(mining).toBeInstanceOf(Promise);
  await new Promise(setImmediate);
  expect([ledger.blocks.head().number, ledger.chain.isAddingBlock()]).toEqual([0, true]);
  answer();
  expect(await mining).toMatchObject({ number: 1 });
});

test('error: a node that stops discards the block that waits for its signature', async () => {
  const { ledger, answer } = await openRemote();
  const pipeline = pipelineOf(ledger, 1_000);
  const mining = pipeline.mine();
  pipeline.close();
  answer();
  await expect(mining).rejects.toThrow('the node stops');
  expect([ledger.blocks.head().number, ledger.chain.isAddingBlock()]).toEqual([0, false]);
});
