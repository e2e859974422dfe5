import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  accountAddress,
  contractId,
  gasLimit,
  type Operation,
  type SignedTransaction,
} from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Ledger } from '../index.ts';
import {
  accountAt,
  core,
  createContract,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from '../ledger.testing.ts';

/** Init code of a contract that adds 1 to its first slot. */
const COUNTER = '6007600c60003960076000f35f546001015f55';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
  ledger.pool.submit(sign(ledger, [createContract(0, COUNTER)], [keyAt(0)]));
});

afterEach(async () => {
  await store.close();
});

function call(gas: bigint): SignedTransaction {
  const operation: Operation = {
    type: 'contractCall',
    fee: core(gas),
    registrar: accountAt(0),
    value: core(0n),
    code: '',
    callee: contractId(0),
  };
  return sign(ledger, [operation], [keyAt(0)], { expiration: GENESIS_TIME + 60 + ledger.pool.pendingCount });
}

/** Returns the gas that the operations of the newest block offered. */
function offeredOf(number: number): bigint[] {
  return ledger.blocks.blockTransactions(number).map(({ operation }) => gasLimit(operation));
}

describe('the gas limit of blocks', () => {
  test('default: with instant production a transaction above it stays pending until it is raised', () => {
    ledger.miner.setGasLimit(60_000n);
    ledger.pool.submit(call(50_000n));
    ledger.pool.submit(call(100_000n));
    ledger.pool.submit(call(60_000n));
    expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([3, 1]);
    ledger.miner.setGasLimit(undefined);
    expect([ledger.blocks.head().number, ledger.pool.pendingCount, ledger.miner.gasLimit]).toEqual([
      4,
      0,
      undefined,
    ]);
  });

  test('behavior: a block includes transactions in order while they fit in the remaining gas', () => {
    ledger.miner.stopMining();
    for (const gas of [80_000n, 81_000n, 30_000n, 90_000n]) ledger.pool.submit(call(gas));
    ledger.pool.submit(sign(ledger, [transfer(1, accountAt(2), 1n)], [keyAt(1)]));
    ledger.miner.setGasLimit(90_000n);
    const offered = Array.from({ length: 3 }, () => offeredOf(ledger.miner.mine().number));
    // The first call uses about 43,000 gas and the next ones 26,000 each: the remaining gas decides.
    expect(offered.flat().sort()).toEqual([20n, 30_000n, 80_000n, 81_000n, 90_000n].sort());
    expect(offered[0]).toContain(20n);
    expect(offered[0]).not.toContain(81_000n);
    expect(ledger.pool.pendingCount).toBe(0);
  });

  test('behavior: a gas limit of 0 admits only transfers, with mine and with mineSeveral', () => {
    ledger.miner.setGasLimit(0n);
    ledger.pool.submit(call(50_000n));
    ledger.pool.submit(sign(ledger, [transfer(1, accountAt(2), 1n)], [keyAt(1)]));
    expect([
      ledger.miner.mine().operationCount,
      ledger.miner.mineSeveral(4, Number.POSITIVE_INFINITY),
    ]).toEqual([0, 1]);
    expect([ledger.pool.pendingCount, ledger.blocks.head().number]).toEqual([1, 4]);
    ledger.miner.setGasLimit(50_000n);
    expect([ledger.pool.pendingCount, ledger.blocks.head().operationCount]).toEqual([0, 1]);
  });
});

describe('dropping pending transactions', () => {
  test('default: removes the chosen ones, also from the store, and executes the rest again', () => {
    ledger.miner.stopMining();
    for (const gas of [50_000n, 60_000n, 70_000n]) ledger.pool.submit(call(gas));
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.message));
    const isChosen = ({ operations: [first] }: SignedTransaction): boolean =>
      first !== undefined && gasLimit(first) === 60_000n;
    expect([ledger.pool.dropPending(isChosen), ledger.pool.dropPending(isChosen)]).toEqual([1, 0]);
    expect(dropped).toEqual(['the transaction was removed from the pending pool by a call']);
    expect([...store.pendingTransactions()]).toHaveLength(2);
    expect(offeredOf(ledger.miner.mine().number)).toEqual([50_000n, 70_000n]);
    expect([...store.pendingTransactions()]).toHaveLength(0);
  });

  test('behavior: a dropped transaction may be sent again, and dependent ones are reported as dropped', () => {
    ledger.miner.stopMining();
    const fund = sign(ledger, [transfer(0, accountAt(1), 10n)], [keyAt(0)]);
    const all = ledger.accounts.balanceOf(accountAddress(accountAt(1)));
    const spend = sign(ledger, [transfer(1, accountAt(2), all - 15n)], [keyAt(1)]);
    ledger.pool.submit(fund);
    ledger.pool.submit(spend);
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.reason.code));
    ledger.pool.dropPending((transaction) => transaction === fund);
    expect(dropped).toEqual(['droppedOnDemand', 'insufficientFunds']);
    expect(ledger.pool.pendingCount).toBe(0);
    ledger.pool.submit(fund);
    expect(ledger.pool.pendingCount).toBe(1);
  });
});
