import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { blockFeesOf, formatFees, pricesAfter } from './chain/block-fees.ts';
import {
  ethereumAddress,
  ethereumGenesis,
  type Fields,
  MOVING_FEES,
  refusalBy,
  sendBy,
} from './ethereum.testing.ts';
import {
  compareChains,
  formatGenesis,
  type Ledger,
  movingFees,
  NO_FEATURES,
  parseGenesis,
  replayChain,
  TestChain,
  verifyState,
} from './index.ts';
import {
  accountAt,
  addressAt,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  sign,
  transfer,
} from './ledger.testing.ts';

const GWEI = 10n ** 9n;
const UNIT = 10n ** 10n;
const FREE = { maxFeePerGas: 100n * GWEI };

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger({ genesis: ethereumGenesis({ features: MOVING_FEES }) }));
});

const baseFeeOf = (chain = ledger): bigint => chain.prices.of(chain.blocks.head()).baseFee;

/** Returns the wei of all key accounts, of the producer and of the native accounts together. */
function allWei(): bigint {
  const keys = [0, 1, 2, 3].map(ethereumAddress);
  const native = [0, 1, 2, 3].map(addressAt);
  const { accounts, parameters } = ledger;
  return [...keys, ...native, parameters.coinbase].reduce(
    (sum, address) => sum + accounts.weiBalanceOf(address),
    0n,
  );
}

/** Checks the stored state, and that a replay of the blocks and patches ends with the same chain. */
async function expectReplayable(): Promise<void> {
  await verifyState(store);
  const target = openStore({ durable: false, history: store.history });
  await replayChain({ source: store, target });
  expect(await compareChains(store, target)).toBeUndefined();
  await target.close();
}

describe('the base fee', () => {
  const rules = {
    ...MOVING_FEES,
    ...{ weiPerUnit: UNIT, blockGasLimit: 20_000_000n, hardfork: 'osaka' as const },
  };
  const next = (baseFee: bigint, gasUsed: bigint, given = rules): bigint => {
    const fees = formatFees({ baseFee, gasUsed, excessBlobGas: 0n, blobGasUsed: 0n });
    return pricesAfter(1, { vmRoot: ['', '', fees] }, given).baseFee;
  };

  test('default: follows EIP-1559, by the vectors of geth', () => {
    expect(next(GWEI, 10_000_000n)).toBe(GWEI);
    expect(next(GWEI, 9_000_000n)).toBe(987_500_000n);
    expect(next(GWEI, 11_000_000n)).toBe(1_012_500_000n);
    expect(next(7n, 0n)).toBe(7n);
    expect(next(1n, 20_000_000n)).toBe(2n);
  });

  test('behavior: never leaves its bounds, and changes by no more than an eighth', () => {
    const price = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
    fc.assert(
      fc.property(price, fc.bigInt({ min: 0n, max: 20_000_000n }), price, (baseFee, gas, minimum) => {
        const fees = { ...movingFees(GWEI), minimum } as const;
        const found = next(baseFee, gas, { ...rules, fees });
        expect(found >= 0n && found < 2n ** 128n).toBe(true);
        expect(found >= minimum || gas > 10_000_000n).toBe(true);
        if (found !== minimum) expect(found <= baseFee + baseFee / 8n + 1n).toBe(true);
      }),
    );
  });

  test('default: a header states it, and the first two blocks have the initial one', () => {
    expect(baseFeeOf()).toBe(GWEI);
    sendBy(0, ledger, FREE);
    expect(baseFeeOf()).toBe(GWEI);
    sendBy(0, ledger, FREE);
    expect(baseFeeOf()).toBe(875_116_667n);
    const { header } = ledger.blocks.head();
    expect(header.vmRoot[2]).toBe(
      `${875_116_667n.toString(16).padStart(32, '0')}${(21_000).toString(16).padStart(16, '0')}${'0'.repeat(32)}`,
    );
    expect(blockFeesOf({ vmRoot: ['not', 'a', 'fee'] }, ledger.parameters.rules).baseFee).toBe(GWEI);
  });

  test('behavior: a gas limit of production counts the gas of transactions, not their fees', () => {
    ledger.miner.stopMining();
    for (const index of [0, 1, 2]) sendBy(index, ledger, { ...FREE, maxPriorityFeePerGas: 0n });
    ledger.miner.setGasLimit(50_000n);
    expect(ledger.miner.mine().operationCount).toBe(2);
    expect(ledger.miner.mine().operationCount).toBe(1);
  });

  test('default: a patch sets that of the next block, and a replay and a revert respect it', async () => {
    const chain = new TestChain(ledger, store);
    sendBy(0, ledger, FREE);
    const id = chain.takeSnapshot();
    ledger.chain.patch(() => ({ type: 'baseFee', baseFee: 5n * GWEI }));
    expect(ledger.prices.next().baseFee).toBe(5n * GWEI);
    sendBy(0, ledger, FREE);
    expect(baseFeeOf()).toBe(5n * GWEI);
    await expectReplayable();
    chain.revertToSnapshot(id, true);
    ledger.miner.mine();
    expect(baseFeeOf()).toBe(875_116_667n);
    await expectReplayable();
  });

  test('error: a patch on a chain where it is constant, and one out of bounds', async () => {
    const set = (chain: Ledger, baseFee: bigint) => () =>
      chain.chain.patch(() => ({ type: 'baseFee', baseFee }));
    expect(set(ledger, 2n ** 128n)).toThrow('the base fee is too high');
    const fixed = await openTestLedger({ genesis: ethereumGenesis() });
    expect(set(fixed.ledger, 1n)).toThrow('the base fee of this chain is constant');
  });
});

describe('fees', () => {
  test('default: base fee and tip are charged in wei, to the producer, and no wei is lost', async () => {
    const before = allWei();
    const [payer, producer] = [ethereumAddress(0), ledger.parameters.coinbase];
    const had = ledger.accounts.weiBalanceOf(payer);
    const earned = ledger.accounts.weiBalanceOf(producer);
    sendBy(0, ledger, { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 7n, value: 1n });
    const fee = 21_000n * (GWEI + 7n);
    expect(ledger.accounts.weiBalanceOf(payer)).toBe(had - fee - 1n);
    expect(ledger.accounts.weiBalanceOf(producer)).toBe(earned + fee);
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 5n)], [keyAt(0)]));
    expect(allWei()).toBe(before);
    await expectReplayable();
  });

  test('default: / shows the units that were charged, rounded up', () => {
    sendBy(0, ledger, { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 1n });
    const [operation] = ledger.blocks.blockTransactions(ledger.blocks.head().number);
    expect(operation?.feesCollected).toBe((21_000n * (GWEI + 1n) + UNIT - 1n) / UNIT);
    expect(ledger.blocks.head().feesCollected).toBe(operation?.feesCollected);
    expect(operation && ledger.blocks.receiptOutlineOf(operation.block.number, 0)?.gasUsed).toBe(21_000n);
  });

  test('behavior: a fixed price stays, 0 included, and tips are charged', async () => {
    for (const price of [0n, 3n * GWEI]) {
      const genesis = ethereumGenesis({ features: { ...NO_FEATURES, fees: { type: 'fixed', price } } });
      expect(parseGenesis(formatGenesis(genesis))).toEqual(genesis);
      const { ledger: fixed } = await openTestLedger({ genesis });
      const had = fixed.accounts.weiBalanceOf(ethereumAddress(0));
      sendBy(0, fixed, { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 5n });
      expect(fixed.accounts.weiBalanceOf(ethereumAddress(0))).toBe(had - 21_000n * (price + 5n));
      // No prices, which the header of a chain with a moving base fee has.
      expect(fixed.blocks.head().header.vmRoot[2]).toBe('');
      expect(baseFeeOf(fixed)).toBe(price);
    }
  });
});

describe('the pool', () => {
  const send = (index: number, fields: Fields) => sendBy(index, ledger, { ...FREE, ...fields });
  /** Returns sender and nonce of the transactions of the head. */
  const included = (): string[] =>
    ledger.blocks.blockTransactions(ledger.blocks.head().number).map(({ operation }) => {
      if (operation.type !== 'ethereumTransaction') return operation.type;
      const senders = [0, 1, 2, 3].map((index) => String(ethereumAddress(index)));
      return `${senders.indexOf(String(operation.sender))}:${operation.innerTransaction.nonce}`;
    });

  beforeEach(() => ledger.miner.stopMining());

  test('default: a block takes the highest tips first, those of one sender by nonce', async () => {
    send(0, { maxPriorityFeePerGas: 1n });
    send(0, { maxPriorityFeePerGas: 9n });
    send(1, { maxPriorityFeePerGas: 5n });
    send(2, { maxPriorityFeePerGas: 7n });
    send(2, { maxPriorityFeePerGas: 2n });
    send(3, { maxPriorityFeePerGas: 7n });
    ledger.miner.mine();
    expect(included()).toEqual(['2:0', '3:0', '1:0', '2:1', '0:0', '0:1']);
    await expectReplayable();
  });

  test('behavior: fifo keeps the order of arrival', async () => {
    const prices = { order: 'fifo', minGasPrice: 0n, suggestedTip: 0n } as const;
    const genesis = ethereumGenesis({ features: MOVING_FEES });
    ({ ledger, store } = await openTestLedger({ genesis, prices, mining: 'manual' }));
    send(0, { maxPriorityFeePerGas: 1n });
    send(1, { maxPriorityFeePerGas: 5n });
    ledger.miner.mine();
    expect(included()).toEqual(['0:0', '1:0']);
  });

  test('behavior: a replacement pays at least a tenth more, rounded down as in geth', () => {
    const replaces = (cap: bigint, tip: bigint): boolean =>
      !refusalBy(0, ledger, { nonce: 0n, maxFeePerGas: cap, maxPriorityFeePerGas: tip }).includes(
        'underpriced',
      );
    send(0, { maxFeePerGas: GWEI + 7n, maxPriorityFeePerGas: 0n });
    expect(replaces(1_100_000_007n, 0n)).toBe(false);
    expect(replaces(1_100_000_006n, 1n)).toBe(false);
    expect(replaces(1_100_000_007n, 1n)).toBe(true);
    expect(ledger.pool.pendingCount).toBe(1);
  });

  test('behavior: a transaction below the base fee stays queued until it is payable', () => {
    ledger.chain.patch(() => ({ type: 'baseFee', baseFee: 10n * GWEI }));
    send(0, { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 0n });
    send(0, { maxPriorityFeePerGas: 0n });
    expect(ledger.pool.queuedOperations()).toHaveLength(2);
    ledger.miner.mine();
    expect(included()).toEqual([]);
    expect(ledger.pool.pendingCount).toBe(2);
    // An empty block lowered it to 8.75 gwei.
    ledger.miner.mine();
    expect(included()).toEqual(['0:0', '0:1']);
  });

  test('behavior: a pending transaction stays when the base fee rises above its cap', () => {
    send(0, { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: 0n });
    ledger.chain.patch(() => ({ type: 'baseFee', baseFee: 100n * GWEI }));
    send(1, { maxFeePerGas: 200n * GWEI, maxPriorityFeePerGas: 0n });
    ledger.miner.mine();
    expect(included()).toEqual(['1:0']);
    expect(ledger.pool.pendingCount).toBe(1);
    ledger.chain.patch(() => ({ type: 'baseFee', baseFee: GWEI }));
    ledger.miner.mine();
    expect(included()).toEqual(['0:0']);
  });

  test('behavior: a full pool evicts the cheapest, and refuses what pays no more', () => {
    // A native transaction pays 10 gwei for a unit of gas: 9 gwei above the base fee.
    for (let amount = 1n; amount <= 10_000n; amount += 1n) {
      const expiration = GENESIS_TIME + 600;
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(3), amount)], [keyAt(0)], { expiration }));
    }
    expect(refusalBy(0, ledger, { ...FREE, maxPriorityFeePerGas: 9n * GWEI - 1n })).toContain(
      'transaction underpriced: the pool is full with 10000 transactions',
    );
    send(1, { maxPriorityFeePerGas: 9n * GWEI + 1n });
    // At the same price a sender with fewer transactions is accepted.
    send(2, { maxPriorityFeePerGas: 9n * GWEI });
    expect(ledger.pool.pendingCount).toBe(10_000);
    ledger.miner.mine();
    expect(included()[0]).toBe('1:0');
  });

  test('error: below the base fee with instant blocks, and below the price that the node requires', () => {
    ledger.miner.startMining();
    expect(refusalBy(0, ledger, { maxFeePerGas: GWEI - 1n, maxPriorityFeePerGas: 0n })).toContain(
      'max fee per gas less than block base fee',
    );
    ledger.pool.prices.minGasPrice = 2n * GWEI;
    expect(refusalBy(0, ledger, { maxFeePerGas: GWEI, maxPriorityFeePerGas: 0n })).toBe(
      `transaction underpriced: the gas price is ${GWEI} wei, and this node requires ${2n * GWEI} (--gas-price)`,
    );
    expect(ledger.pool.pendingCount).toBe(0);
  });
});
