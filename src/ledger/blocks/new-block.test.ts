import { describe, expect, test, vi } from 'vitest';
import {
  bytesToHex,
  contractAddress,
  contractId,
  type Operation,
  type Signature,
  ZERO_HASH,
} from '../../protocol/index.ts';
import type { BlockSummary, Ledger, NewBlock } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  PRODUCER_KEY,
  rootByScan,
  sign,
  TEST_BALANCE,
  transfer,
  transported,
} from '../ledger.testing.ts';

// Executes no stored pending transaction on opening, nor before a new transaction.
vi.mock('../pool/pending-transactions.ts', async (original) => ({
  ...(await original<typeof import('../pool/pending-transactions.ts')>()),
  PENDING_RESTORE_MS_MAX: 0,
}));
vi.mock('../../time/job.ts', async (original) => ({
  ...(await original<typeof import('../../time/job.ts')>()),
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

const open = () => openTestLedger({ mining: 'manual' });

/** Operations of each kind, signed by the first account. Equal ones differ by their expiration. */
function submit(ledger: Ledger, ...operations: Operation[]): void {
  const expiration = GENESIS_TIME + 60 + ledger.pool.pendingCount;
  ledger.pool.submit(sign(ledger, operations, [keyAt(0)], { expiration }));
}

/** Opens a chain with the contract in block 1, and pending calls and transfers. */
async function openPending() {
  const opened = await open();
  submit(opened.ledger, createContract(0, COUNTER));
  opened.ledger.miner.mine();
  for (let count = 1; count <= 3; count += 1) {
    submit(opened.ledger, call, call);
    submit(opened.ledger, transfer(0, accountAt(1), BigInt(count)));
  }
  // The block has to execute them again.
  opened.ledger.chain.handleReorg();
  return opened;
}

/** Takes the smallest steps, and runs `inBetween` after each. */
function stepByStep(steps: NewBlock, inBetween: () => void = () => undefined): BlockSummary {
  while (!steps.make(0)) inBetween();
  inBetween();
  void steps.sign();
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
    other.ledger.miner.mine();
    const before = readOf(ledger);
    let stops = 0;
    const summary = stepByStep(ledger.miner.beginBlock(ALL_TIME), () => {
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
    ledger.miner.mine();
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
      const { number } = stepByStep(ledger.miner.beginBlock(0));
      const operations = ledger.blocks.blockTransactions(number).map(({ operation }) => operation);
      expect(operations.length).toBeLessThanOrEqual(2);
      included.push(...operations);
    }
    expect(included).toEqual(waiting);
    expect([ledger.blocks.head().number, stepByStep(ledger.miner.beginBlock(0)).operationCount]).toEqual([
      7, 0,
    ]);
  });

  test('behavior: a transaction submitted meanwhile is pending for the next block', async () => {
    const { ledger } = await openPending();
    const steps = ledger.miner.beginBlock(ALL_TIME);
    steps.make(0);
    submit(ledger, call);
    const { number } = stepByStep(steps);
    expect([ledger.blocks.blockTransactions(number).length, ledger.pool.pendingCount]).toEqual([9, 1]);
    expect(ledger.miner.mine().operationCount).toBe(1);
    expect(readOf(ledger).count).toBe(7);
  });

  test('behavior: another method that adds a block completes this one first', async () => {
    const { ledger } = await openPending();
    const blocks: number[] = [];
    ledger.chain.onBlock(({ number }) => blocks.push(number));
    const steps = ledger.miner.beginBlock(ALL_TIME);
    steps.make(0);
    expect(ledger.miner.mine()).toMatchObject({ number: 3, operationCount: 0 });
    expect(steps.store(0)).toMatchObject({ number: 2, operationCount: 9 });
    expect(blocks).toEqual([2, 3]);
  });

  test('error: a discarded or paused block leaves the state unchanged', async () => {
    const { ledger, store } = await openPending();
    const [before, root] = [readOf(ledger), rootByScan(store)];
    for (const discard of [
      (steps: NewBlock) => steps.discard('enough'),
      () => ledger.chain.pauseWrites('enough'),
    ]) {
      const steps = ledger.miner.beginBlock(ALL_TIME);
      steps.make(0);
      discard(steps);
      expect(() => steps.make(0)).toThrow('enough');
      ledger.chain.resumeWrites();
      expect([readOf(ledger), rootByScan(store), ledger.pool.pendingCount]).toEqual([before, root, 6]);
    }
    expect(ledger.miner.mine().operationCount).toBe(9);
  });

  test('behavior: a block that loses its number to another returns its transactions to the pool', async () => {
    const [{ ledger, store }, other] = [await openPending(), await open()];
    other.ledger.chain.importBlock(transported(ledger, 1));
    other.ledger.miner.mine();
    const before = readOf(ledger);
    const steps = ledger.miner.beginBlock(ALL_TIME);
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
    expect(ledger.miner.mine()).toMatchObject({ number: 3, operationCount: 9 });
    other.ledger.chain.importBlock(transported(ledger, 3));
    expect(rootByScan(other.store)).toEqual(rootByScan(store));
  });

  test('error: a block rejected in a late step leaves the state unchanged', async () => {
    const [{ ledger }, other] = [await openPending(), await open()];
    ledger.miner.mine();
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

describe('a signer that signs elsewhere', () => {
  /** Opens a chain with a pending transfer, whose key signs once `answer` is called. */
  async function openRemote() {
    const answers: { sign(): void; fail(reason: string): void }[] = [];
    const signer = {
      publicKey: PRODUCER_KEY.publicKey,
      sign: (digest: Uint8Array) =>
        new Promise<Signature>((resolve, reject) => {
          const fail = (reason: string): void => reject(new Error(reason));
          answers.push({ sign: () => resolve(PRODUCER_KEY.sign(digest)), fail });
        }),
    };
    const opened = await openTestLedger({ keys: [signer], mining: 'manual' });
    submit(opened.ledger, transfer(0, accountAt(1), 5n));
    const answer = () => answers.shift() ?? expect.fail('nothing is to be signed');
    return { ...opened, answer };
  }

  test('default: the block waits for its signature, and readers see the head before it', async () => {
    const { ledger, store, answer } = await openRemote();
    const block = ledger.miner.beginBlock(ALL_TIME);
    expect(block.make(ALL_TIME)).toBe(true);
    const signing = block.sign();
    expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([0, 1]);
    answer().sign();
    await signing;
    expect(block.store(0)).toMatchObject({ number: 1, operationCount: 1 });
    expect(ledger.pool.pendingCount).toBe(0);
    expect(ledger.blocks.head().header.vmRoot[0]).toContain(bytesToHex(rootByScan(store)));
  });

  test('error: a signer that fails leaves the state unchanged, and the next block is made', async () => {
    const { ledger, answer } = await openRemote();
    const block = ledger.miner.beginBlock(ALL_TIME);
    block.make(ALL_TIME);
    const signing = block.sign();
    answer().fail('no signature today');
    await expect(signing).rejects.toThrow('no signature today');
    expect(() => block.store(0)).toThrow('no signature today');
    expect([ledger.chain.isAddingBlock(), ledger.pool.pendingCount]).toEqual([false, 1]);
    const next = ledger.miner.beginBlock(ALL_TIME);
    next.make(ALL_TIME);
    const signed = next.sign();
    answer().sign();
    await signed;
    expect(next.store(0)).toMatchObject({ number: 1, operationCount: 1 });
  });

  test('behavior: a block that comes meanwhile discards the one that waits', async () => {
    const { ledger, answer } = await openRemote();
    const other = await openTestLedger();
    other.ledger.miner.mine();
    const block = ledger.miner.beginBlock(ALL_TIME);
    block.make(ALL_TIME);
    const signing = block.sign();
    ledger.chain.importBlock(transported(other.ledger, 1));
    answer().sign();
    await expect(signing).rejects.toThrow('another block comes first');
    expect([ledger.blocks.head().id, ledger.pool.pendingCount]).toEqual([other.ledger.blocks.head().id, 1]);
  });

  test('error: a block that must be complete at once', async () => {
    const { ledger, answer } = await openRemote();
    expect(() => ledger.miner.mine()).toThrow('does not sign at once');
    answer().sign();
    expect([ledger.blocks.head().number, ledger.pool.pendingCount, ledger.chain.isAddingBlock()]).toEqual([
      0,
      1,
      false,
    ]);
  });
});

describe('transactions not executed for lack of time', () => {
  /** Restarts the chain of `openPending` at a time at which the first transfer has expired. */
  async function reopen() {
    const first = await openPending();
    const ledger = (
      await openTestLedger({
        store: first.store,
        mining: 'manual',
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
    expect(ledger.miner.mine().operationCount).toBeGreaterThan(0);
  });

  test('behavior: a new transaction is accepted before their execution, and the block keeps the order', async () => {
    const { ledger } = await reopen();
    ledger.pool.submit(
      sign(ledger, [transfer(1, accountAt(2), TEST_BALANCE - 20n)], [keyAt(1)], {
        expiration: GENESIS_TIME + 90,
      }),
    );
    expect(ledger.pool.pendingCount).toBe(7);
    const { number } = ledger.miner.mine();
    const types = ledger.blocks.blockTransactions(number).map(({ operation }) => operation.type);
    expect(types.at(-1)).toBe('transfer');
    expect([types.length, ledger.pool.pendingCount]).toEqual([10, 0]);
  });
});
