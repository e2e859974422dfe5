import { expect, test } from 'vitest';
import { type BlockSummary, type Ledger, signTransaction } from '../ledger/index.ts';
import {
  accountAt,
  keyAt,
  openTestLedger,
  GENESIS_TIME as START,
  testGenesis,
} from '../ledger/ledger.testing.ts';
import { contractId, coreAmount, type Operation } from '../protocol/index.ts';
import { CpuBackoff } from '../scheduling/index.ts';
import { systemTime } from '../time.ts';
import { BlockPipeline } from './block-pipeline.ts';

const ALICE = accountAt(0);
const KEY = keyAt(0);
/** Init code of a contract that recovers a signature until 10,000 gas are left. */
const RECOVERING = `6016600c60003960166000f35b5f5f5f5f60015afa506127105a115f57${'00'.repeat(4)}`;

/** A ledger on whose pool so many transactions wait that a block of them takes many slices. */
async function openBusy(transactions: number): Promise<Ledger> {
  const genesis = testGenesis({ hardfork: 'cancun' });
  const { ledger } = await openTestLedger({ genesis, production: 'onDemand' });
  const submit = (operation: Operation, number: number): void => {
    const head = ledger.blocks.head();
    ledger.pool.submit(signTransaction(operation, KEY, ledger.parameters.chainId, head, START + 60 + number));
  };
  const common = { registrar: ALICE, value: coreAmount(0n) };
  const creation = { ...common, fee: coreAmount(1_000_000n), code: RECOVERING, ethAccuracy: false };
  submit({ type: 'contractCreate', ...creation }, 0);
  if (transactions > 0) ledger.production.mine();
  for (let number = 0; number < transactions; number += 1) {
    const call = { ...common, fee: coreAmount(8_000_000n), callee: contractId(0), code: '' };
    submit({ type: 'contractCall', ...call }, number);
  }
  return ledger;
}

function workOn(ledger: Ledger, intervalMs: number): BlockPipeline {
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

/** Counts the turns of the event loop in which the head is still the one of before. */
async function turnsDuring(ledger: Ledger, adding: BlockSummary | Promise<BlockSummary>) {
  const head = ledger.blocks.head().number;
  let turns = 0;
  let isOver = false;
  const look = (): void => {
    if (isOver) return;
    if (ledger.blocks.head().number === head) turns += 1;
    setImmediate(look);
  };
  setImmediate(look);
  const summary = await adding;
  isOver = true;
  return { turns, summary };
}

test('default: everything else gets its turn while a long block is made', async () => {
  const ledger = await openBusy(60);
  const { turns, summary } = await turnsDuring(ledger, workOn(ledger, 3_600_000).mine());
  expect(summary).toMatchObject({ number: 2, operationCount: 60 });
  expect(turns).toBeGreaterThan(3);
});

test('default: and while one is taken over', async () => {
  const [ledger, other] = [await openBusy(60), await openBusy(0)];
  ledger.production.mine();
  const blocks = [1, 2].map((number) => ledger.blocks.nativeBlock(number));
  const work = workOn(other, 3_600_000);
  const turns: number[] = [];
  for (const block of blocks) {
    if (block !== undefined) turns.push((await turnsDuring(other, work.importBlock(block))).turns);
  }
  expect(other.blocks.head()).toEqual(ledger.blocks.head());
  expect(turns[1]).toBeGreaterThan(3);
});

test('args: a block takes no more than its share of the interval, and the rest waits', async () => {
  const ledger = await openBusy(60);
  const { operationCount } = await workOn(ledger, 20).mine();
  expect(operationCount).toBeGreaterThan(0);
  expect(operationCount).toBeLessThan(60);
  expect(ledger.pool.pendingCount).toBe(60 - operationCount);
});

test('behavior: what is through at once is added at once', async () => {
  const ledger = await openBusy(0);
  expect(workOn(ledger, 3_600_000).mine()).toMatchObject({ number: 1, operationCount: 1 });
});

test('error: a block is given up at the end, and nothing is changed', async () => {
  const ledger = await openBusy(60);
  const work = workOn(ledger, 3_600_000);
  const made = Promise.resolve(work.mine());
  expect(work.whenIdle()).toBeInstanceOf(Promise);
  work.close();
  await expect(made).rejects.toThrow('the node stops');
  expect([ledger.blocks.head().number, ledger.pool.pendingCount, work.whenIdle()]).toEqual([
    1,
    60,
    undefined,
  ]);
});
