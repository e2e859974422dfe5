import { describe, expect, test, vi } from 'vitest';
import { contractAddress, contractId, type Operation, ZERO_HASH } from '../../protocol/index.ts';
import type { BlockSteps, BlockSummary, Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  TEST_BALANCE,
  transfer,
  transported,
} from '../ledger.testing.ts';

// Executes no stored pending transaction on opening, nor before a new transaction.
vi.mock('../../limits.ts', async (original) => ({
  ...(await original<typeof import('../../limits.ts')>()),
  PENDING_RESTORE_MS_MAX: 0,
  WRITE_SLICE_MS: 0,
}));

/** Init code of a contract that adds 1 to its first slot. */
const COUNTER = '6007600c60003960076000f3' + '5f546001015f55';
const ADDRESS = contractAddress(contractId(0));
const ALL_TIME = Number.POSITIVE_INFINITY;

const call: Operation = {
  type: 'contractCall',
  fee: core(100_000n),
  registrar: accountAt(0),
  value: core(0n),
  code: '',
  callee: contractId(0),
};

const open = () => openTestLedger({ production: 'onDemand' });

/** Operations of each kind, signed by the first account. Equal ones differ by their expiration. */
function submit(ledger: Ledger, ...operations: Operation[]): void {
  const expiration = GENESIS_TIME + 60 + ledger.pool.pendingCount;
  ledger.pool.submit(sign(ledger, operations, [keyAt(0)], { expiration }));
}

/** Opens a chain with the contract in block 1, and pending calls and transfers. */
async function openPending() {
  const opened = await open();
  submit(opened.ledger, createContract(0, COUNTER));
  opened.ledger.production.mine();
  for (let count = 1; count <= 3; count += 1) {
    submit(opened.ledger, call, call);
    submit(opened.ledger, transfer(0, accountAt(1), BigInt(count)));
  }
  // The block has to execute them again.
  opened.ledger.chain.handleReorg();
  return opened;
}

/** Takes the smallest steps, and runs `inBetween` after each. */
function stepByStep(steps: BlockSteps, inBetween: () => void = () => undefined): BlockSummary {
  while (!steps.make(0)) inBetween();
  inBetween();
  return steps.store(0);
}

function readOf(ledger: Ledger) {
  return {
    number: ledger.blocks.head().number,
    count: ledger.accounts.storageAt(ADDRESS, ZERO_HASH).at(-1),
    balance: ledger.accounts.balanceOf(addressAt(1)),
    code: ledger.accounts.codeAt(ADDRESS).length,
    called: ledger.calls.call({ to: ADDRESS }).gasUsed,
    estimated: ledger.calls.estimateGas({ from: addressAt(0), to: ADDRESS }),
    name: ledger.accounts.account(accountAt(0))?.name,
  };
}

describe('a block in steps', () => {
  test('default: a block built in steps equals one built at once, and reads see the previous head', async () => {
    const [{ ledger, store }, other] = [await openPending(), await openPending()];
    other.ledger.production.mine();
    const before = readOf(ledger);
    let stops = 0;
    const summary = stepByStep(ledger.production.beginBlock(ALL_TIME), () => {
      stops += 1;
      expect(readOf(ledger)).toEqual(before);
      expect([ledger.pool.pendingCount, ledger.chain.isAddingBlock()]).toEqual([6, true]);
    });
    expect(stops).toBeGreaterThanOrEqual(8);
    expect(summary).toEqual(other.ledger.blocks.head());
    expect(rootByScan(store)).toEqual(rootByScan(other.store));
    expect(readOf(ledger)).toEqual(readOf(other.ledger));
    expect([ledger.pool.pendingCount, ledger.chain.isAddingBlock()]).toEqual([0, false]);
  });

  test('default: an imported block is added as in one step', async () => {
    const [{ ledger, store }, other] = [await openPending(), await open()];
    ledger.production.mine();
    other.ledger.chain.importBlock(transported(ledger, 1));
    const before = readOf(other.ledger);
    stepByStep(other.ledger.chain.beginImport(transported(ledger, 2)), () => {
      expect(readOf(other.ledger)).toEqual(before);
    });
    expect(rootByScan(other.store)).toEqual(rootByScan(store));
    expect(readOf(other.ledger)).toEqual(readOf(ledger));
  });

  test('args: with a time of 0 a block takes one transaction, and the rest stays pending in order', async () => {
    const { ledger } = await openPending();
    const waiting = ledger.pool.pendingOperations().map(({ operation }) => operation);
    const included: Operation[] = [];
    while (ledger.pool.pendingCount > 0) {
      const { number } = stepByStep(ledger.production.beginBlock(0));
      const operations = ledger.blocks.blockTransactions(number).map(({ operation }) => operation);
      expect(operations.length).toBeLessThanOrEqual(2);
      included.push(...operations);
    }
    expect(included).toEqual(waiting);
    expect([ledger.blocks.head().number, stepByStep(ledger.production.beginBlock(0)).operationCount]).toEqual(
      [7, 0],
    );
  });

  test('behavior: a transaction submitted meanwhile is pending for the next block', async () => {
    const { ledger } = await openPending();
    const steps = ledger.production.beginBlock(ALL_TIME);
    steps.make(0);
    submit(ledger, call);
    const { number } = stepByStep(steps);
    expect([ledger.blocks.blockTransactions(number).length, ledger.pool.pendingCount]).toEqual([9, 1]);
    expect(ledger.production.mine().operationCount).toBe(1);
    expect(readOf(ledger).count).toBe(7);
  });

  test('behavior: another method that adds a block completes this one first', async () => {
    const { ledger } = await openPending();
    const blocks: number[] = [];
    ledger.chain.onBlock(({ number }) => blocks.push(number));
    const steps = ledger.production.beginBlock(ALL_TIME);
    steps.make(0);
    expect(ledger.production.mine()).toMatchObject({ number: 3, operationCount: 0 });
    expect(steps.store(0)).toMatchObject({ number: 2, operationCount: 9 });
    expect(blocks).toEqual([2, 3]);
  });

  test('error: a discarded or paused block leaves the state unchanged', async () => {
    const { ledger, store } = await openPending();
    const [before, root] = [readOf(ledger), rootByScan(store)];
    for (const discard of [
      (steps: BlockSteps) => steps.discard('enough'),
      () => ledger.chain.pauseWrites('enough'),
    ]) {
      const steps = ledger.production.beginBlock(ALL_TIME);
      steps.make(0);
      discard(steps);
      expect(() => steps.make(0)).toThrow('enough');
      ledger.chain.resumeWrites();
      expect([readOf(ledger), rootByScan(store), ledger.pool.pendingCount]).toEqual([before, root, 6]);
    }
    expect(ledger.production.mine().operationCount).toBe(9);
  });

  test('behavior: a block that loses its number to another returns its transactions to the pool', async () => {
    const [{ ledger, store }, other] = [await openPending(), await open()];
    other.ledger.chain.importBlock(transported(ledger, 1));
    other.ledger.production.mine();
    const before = readOf(ledger);
    const steps = ledger.production.beginBlock(ALL_TIME);
    while (!steps.make(0));
    expect([readOf(ledger), ledger.pool.pendingCount, ledger.chain.isAddingBlock()]).toEqual([
      before,
      6,
      true,
    ]);
    steps.discard('another block has its place');
    expect(() => steps.store(0)).toThrow('another block has its place');
    expect([readOf(ledger), ledger.pool.pendingCount, ledger.chain.isAddingBlock()]).toEqual([
      before,
      6,
      false,
    ]);
    ledger.chain.importBlock(transported(other.ledger, 2));
    expect([ledger.blocks.head(), ledger.pool.pendingCount]).toEqual([other.ledger.blocks.head(), 6]);
    expect(ledger.production.mine()).toMatchObject({ number: 3, operationCount: 9 });
    other.ledger.chain.importBlock(transported(ledger, 3));
    expect(rootByScan(other.store)).toEqual(rootByScan(store));
  });

  test('error: a block rejected in a late step leaves the state unchanged', async () => {
    const [{ ledger }, other] = [await openPending(), await open()];
    ledger.production.mine();
    other.ledger.chain.importBlock(transported(ledger, 1));
    const [before, block] = [readOf(other.ledger), transported(ledger, 2)];
    const steps = other.ledger.chain.beginImport({ ...block, vmRoot: ['00'.repeat(64)] });
    expect(() => stepByStep(steps)).toThrow('block 2');
    expect(() => steps.make(0)).toThrow('block 2');
    expect(readOf(other.ledger)).toEqual(before);
    other.ledger.chain.importBlock(block);
    expect(readOf(other.ledger)).toEqual(readOf(ledger));
  });
});

describe('transactions not executed for lack of time', () => {
  /** Restarts the chain of `openPending` at a time at which the first transfer has expired. */
  async function reopen() {
    const first = await openPending();
    const ledger = (
      await openTestLedger({
        store: first.store,
        production: 'onDemand',
        clock: { now: () => GENESIS_TIME + 61 },
      })
    ).ledger;
    return { ledger, store: first.store };
  }

  test('default: pending transactions stay unexecuted after a restart until there is time', async () => {
    const { ledger } = await reopen();
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.reason.code));
    expect([ledger.pool.pendingCount, ledger.pool.droppedOnOpen.length]).toEqual([6, 0]);
    expect(ledger.pool.refreshPending(0)).toBe(true);
    expect(ledger.pool.pendingOperations()).toHaveLength(9);
    expect(ledger.pool.refreshPending(ALL_TIME)).toBe(false);
    expect(dropped).toEqual([]);
    expect(ledger.production.mine().operationCount).toBeGreaterThan(0);
  });

  test('behavior: a new transaction is accepted before their execution, and the block keeps the order', async () => {
    const { ledger } = await reopen();
    ledger.pool.submit(
      sign(ledger, [transfer(1, accountAt(2), TEST_BALANCE - 20n)], [keyAt(1)], {
        expiration: GENESIS_TIME + 90,
      }),
    );
    expect(ledger.pool.pendingCount).toBe(7);
    const { number } = ledger.production.mine();
    const types = ledger.blocks.blockTransactions(number).map(({ operation }) => operation.type);
    expect(types.at(-1)).toBe('transfer');
    expect([types.length, ledger.pool.pendingCount]).toEqual([10, 0]);
  });
});
