import { beforeEach, describe, expect, test } from 'vitest';
import { toPrefixedHex } from '../protocol/index.ts';
import { openStore, type Store, StoreError } from '../store/index.ts';
import { type BlobOptions, blobGenesis, CANCUN_BLOBS, GWEI, sendBlobsBy } from './blobs.testing.ts';
import { blobBaseFeeOf, excessBlobGasAfter } from './chain/block-fees.ts';
import { mainnetBlobSchedule } from './chain/ethereum-features.ts';
import { ethereumAddress, ethereumGenesis, MOVING_FEES, refusalBy } from './ethereum.testing.ts';
import { compareChains, type Ledger, RefusedError, replayChain, TestChain, verifyState } from './index.ts';
import { addressAt, openTestLedger } from './ledger.testing.ts';

const BLOB_GAS = 131_072n;
const GENESIS = blobGenesis();

const sendBlobs = (index: number, options: BlobOptions = {}, to = ledger) => sendBlobsBy(index, to, options);

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger({ genesis: GENESIS }));
});

/** Returns the message with which a blob transaction is refused. */
function refusalOf(...given: Parameters<typeof sendBlobs>): string {
  try {
    sendBlobs(...given);
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
  return 'it was accepted';
}

const feesOfHead = () => ledger.prices.of(ledger.blocks.head());

describe('prices', () => {
  test('default: the base fee of blob gas follows EIP-4844, by the vectors of geth', () => {
    const feeOf = (excess: number, fraction = 3_338_477) =>
      blobBaseFeeOf(BigInt(excess), { baseFeeUpdateFraction: fraction });
    expect([0, 2_314_057, 2_314_058, 10_485_760].map((excess) => feeOf(excess))).toEqual([1n, 1n, 2n, 23n]);
    expect(feeOf(50_000_000, 2_225_652)).toBe(5_709_098_764n);
  });

  test('default: the excess follows EIP-4844, and from Osaka on EIP-7918', () => {
    const excessOf = (excess: bigint, blobs: bigint, baseFee: bigint, hardfork: 'prague' | 'osaka') =>
      excessBlobGasAfter(
        { excessBlobGas: excess, blobGasUsed: blobs * BLOB_GAS, baseFee },
        CANCUN_BLOBS,
        hardfork,
      );
    expect(excessOf(0n, 2n, 0n, 'prague')).toBe(0n);
    expect(excessOf(BLOB_GAS, 4n, 0n, 'prague')).toBe(2n * BLOB_GAS);
    // Without demand for blobs their price does not fall further below that of gas.
    expect(excessOf(5n * BLOB_GAS, 0n, GWEI, 'osaka')).toBe(5n * BLOB_GAS);
    expect(excessOf(5n * BLOB_GAS, 6n, GWEI, 'osaka')).toBe(8n * BLOB_GAS);
    expect(excessOf(5n * BLOB_GAS, 0n, 0n, 'osaka')).toBe(2n * BLOB_GAS);
  });

  test('default: schedules of mainnet by hard fork', () => {
    expect(mainnetBlobSchedule('shanghai')).toBeUndefined();
    expect(mainnetBlobSchedule('cancun')).toEqual(CANCUN_BLOBS);
    expect(mainnetBlobSchedule('prague')).toMatchObject({ target: 6, max: 9 });
    expect(mainnetBlobSchedule('osaka')).toMatchObject({ target: 14, max: 21 });
  });

  test('behavior: blobs above the target raise the excess, and headers state both', () => {
    for (let block = 0; block < 3; block += 1) sendBlobs(0, { blobs: 6, seed: block });
    expect(feesOfHead()).toMatchObject({ blobGasUsed: 6n * BLOB_GAS });
    expect(feesOfHead().excessBlobGas).toBeGreaterThan(0n);
    expect(ledger.prices.next().excessBlobGas).toBeGreaterThan(feesOfHead().excessBlobGas);
  });
});

describe('charges', () => {
  test('default: sender and producer, and no wei is burned', async () => {
    const { accounts, parameters } = ledger;
    const all = [0, 1, 2, 3].flatMap((index) => [ethereumAddress(index), addressAt(index)]);
    const sum = () => [...all, parameters.coinbase].reduce((wei, at) => wei + accounts.weiBalanceOf(at), 0n);
    const [before, total] = [accounts.weiBalanceOf(ethereumAddress(0)), sum()];
    sendBlobs(0, { blobs: 3 });
    const [operation] = ledger.blocks.blockTransactions(1);
    if (operation === undefined) throw new Error('the block is empty');
    const paid =
      21_000n * ledger.prices.paidBy(operation) + 3n * BLOB_GAS * ledger.prices.ofBlobGas(operation.block);
    expect(before - accounts.weiBalanceOf(ethereumAddress(0))).toBe(paid);
    expect(sum()).toBe(total);
    await verifyState(store);
    const target = openStore({ durable: false, history: store.history });
    await replayChain({ source: store, target });
    // The replayed chain has no sidecars, which are no part of it.
    expect([...target.sidecars()]).toEqual([]);
    expect(await compareChains(store, target)).toBeUndefined();
    await target.close();
  });
});

describe('refused', () => {
  test("error: in geth's words", () => {
    expect(refusalOf(0, { hasSidecar: false })).toBe('missing sidecar in blob transaction');
    expect(refusalOf(0, { maxFeePerBlobGas: 0n })).toContain(
      'max fee per blob gas less than block blob gas fee',
    );
    expect(refusalOf(0, { maxFeePerBlobGas: 10n ** 18n })).toContain(
      'insufficient funds for gas * price + value',
    );
    expect(refusalOf(0, { nonce: 5n })).toContain('nonce too high');
    expect([...store.sidecars()]).toEqual([]);
  });

  test('error: below the base fees of the next block, with instant blocks', () => {
    for (let block = 0; block < 8; block += 1) sendBlobs(1, { blobs: 6, seed: block });
    const [gas, blobs] = [{ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, { maxFeePerBlobGas: 1n }];
    expect(refusalOf(0, gas)).toContain('max fee per gas less than block base fee');
    expect(refusalOf(0, blobs)).toContain('max fee per blob gas less than block blob gas fee');
    expect([...store.sidecars()]).toHaveLength(8);
    ledger.miner.stopMining();
    expect([gas, blobs].map((fees, index) => refusalOf(index, fees))).toEqual(
      Array(2).fill('it was accepted'),
    );
  });

  test('error: more blobs than a block takes, and any on a chain without blobs', async () => {
    const small = { ...MOVING_FEES, blobs: { ...CANCUN_BLOBS, target: 1, max: 2 } };
    const [two, none] = await Promise.all(
      [small, MOVING_FEES].map((features) => openTestLedger({ genesis: ethereumGenesis({ features }) })),
    );
    expect(refusalOf(0, { blobs: 3 }, two?.ledger)).toBe(
      'too many blobs in transaction: have 3, permitted 2',
    );
    expect(refusalOf(0, {}, none?.ledger)).toBe('transaction type not supported: 3');
  });
});

describe('the pool', () => {
  beforeEach(() => ledger.miner.stopMining());

  test('behavior: a replacement needs twice the fees', () => {
    sendBlobs(0, { nonce: 0n });
    const twice = { maxFeePerGas: 200n * GWEI, maxPriorityFeePerGas: 2n * GWEI, maxFeePerBlobGas: 2n * GWEI };
    for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas'] as const) {
      const message = refusalOf(0, { nonce: 0n, seed: 2, ...twice, [name]: twice[name] - 1n });
      expect(message).toContain('replacement transaction underpriced');
    }
    const hash = sendBlobs(0, { nonce: 0n, seed: 2, ...twice });
    expect(ledger.pool.pendingCount).toBe(1);
    expect([...store.sidecars()].map((one) => toPrefixedHex(one.hash))).toEqual([toPrefixedHex(hash)]);
    expect(refusalBy(0, ledger, { nonce: 0n, maxFeePerGas: 300n * GWEI })).toContain('underpriced');
  });

  test('behavior: a block takes no more blobs than its limit, and the next one the rest', () => {
    for (const index of [0, 1, 2]) sendBlobs(index, { blobs: 4, seed: 10 * index });
    for (const left of [2, 1, 0]) {
      ledger.miner.mine();
      expect(feesOfHead().blobGasUsed).toBe(4n * BLOB_GAS);
      expect(ledger.pool.pendingCount).toBe(left);
    }
  });
});

describe('sidecars', () => {
  const countOf = () => [...store.sidecars()].length;

  test('default: they are found by hash and by block, pending and included', () => {
    ledger.miner.stopMining();
    const hash = sendBlobs(0, { blobs: 2 });
    expect(ledger.blobs.find(hash)?.blobs).toHaveLength(2);
    ledger.miner.mine();
    expect(ledger.blobs.ofBlock(1)).toMatchObject([{ sidecar: { blobs: [{}, {}] } }]);
    expect(ledger.blobs.ofBlock(0)).toEqual([]);
  });

  test('behavior: they are removed with a dropped transaction, and some blocks after their block', async () => {
    ({ ledger, store } = await openTestLedger({ genesis: GENESIS, blobRetention: 3 }));
    ledger.miner.stopMining();
    sendBlobs(0);
    ledger.pool.dropPending(() => true);
    expect(countOf()).toBe(0);
    sendBlobs(0);
    ledger.miner.mine();
    for (let block = 2; block <= 3; block += 1) ledger.miner.mine();
    expect(countOf()).toBe(1);
    ledger.miner.mine();
    expect(countOf()).toBe(0);
    expect(ledger.blobs.ofBlock(1)).toMatchObject([{ sidecar: undefined }]);
  });

  test('behavior: a restart keeps those of pending and included transactions, and removes others', async () => {
    const hash = sendBlobs(0);
    ledger.miner.stopMining();
    const pending = sendBlobs(1, { seed: 2 });
    // A crash after the removal of the transaction, and before that of its sidecar.
    const lost = sendBlobs(2, { seed: 3 });
    const sequences = [...store.pendingTransactions()].map(({ sequence }) => sequence);
    store.removePending(sequences.slice(-1));
    ({ ledger } = await openTestLedger({ genesis: GENESIS, store, mining: 'manual' }));
    expect(ledger.pool.pendingCount).toBe(1);
    ledger.miner.mine();
    expect([hash, pending, lost].map((one) => ledger.blobs.find(one) !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('behavior: a reverted block leaves its sidecar to the transaction, if that is pending again', async () => {
    const hash = sendBlobs(0);
    ledger.chain.revertTo(0);
    expect(ledger.blobs.find(hash)).toBeDefined();
    // Nothing brings the transaction back.
    ledger.miner.mine();
    expect(ledger.blobs.find(hash)).toBeUndefined();
    const again = sendBlobs(0);
    expect(ledger.blobs.ofBlock(2)).toHaveLength(1);
    expect(ledger.blobs.find(again)).toBeDefined();
  });

  test('behavior: a reverted snapshot drops a transaction whose sidecar was removed meanwhile', () => {
    ledger.miner.stopMining();
    sendBlobs(0);
    sendBlobs(1, { seed: 2 });
    const chain = new TestChain(ledger, store);
    const id = chain.takeSnapshot();
    const [first] = ledger.pool.pendingTransactions();
    ledger.pool.dropPending((transaction) => transaction === first);
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.message));
    chain.revertToSnapshot(id, true);
    expect(dropped).toEqual(['missing sidecar in blob transaction']);
    expect([ledger.pool.pendingCount, [...store.pendingTransactions()].length]).toEqual([1, 1]);
    ledger.miner.mine();
    expect(ledger.blobs.ofBlock(1)).toMatchObject([{ sidecar: { blobs: [{}] } }]);
  });

  test('error: a failed removal is reported, and repeated after the next block', async () => {
    const failing = { isFailing: true };
    const failure = new StoreError('STORE_COMMIT_FAILED', 'no space left on device');
    const full = new Proxy(store, {
      get(target, name: keyof Store) {
        if (name === 'removeSidecars' && failing.isFailing) throw failure;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    ({ ledger } = await openTestLedger({ genesis: GENESIS, store: full, blobRetention: 0 }));
    const failures: StoreError[] = [];
    ledger.blobs.onFailure((error) => failures.push(error));
    sendBlobs(0);
    expect([failures, countOf()]).toEqual([[failure], 1]);
    failing.isFailing = false;
    ledger.miner.mine();
    expect([failures.length, countOf()]).toEqual([1, 0]);
  });

  test('behavior: another node accepts the block without the sidecar', async () => {
    sendBlobs(0);
    const block = ledger.blocks.nativeBlock(1);
    if (block === undefined) throw new Error('there is no block');
    const other = await openTestLedger({ genesis: GENESIS, keys: [], mining: 'none' });
    other.ledger.chain.importBlock(block);
    expect(other.ledger.blocks.head().id).toEqual(ledger.blocks.head().id);
    expect(other.ledger.blobs.ofBlock(1)).toMatchObject([{ sidecar: undefined }]);
  });
});
