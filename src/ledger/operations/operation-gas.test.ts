import { describe, expect, test } from 'vitest';
import { KNOWS_ETHEREUM } from '../../../test/chain-kind.ts';
import { OPERATION_GAS_MAX, OPERATION_GAS_OSAKA_MAX, TRANSACTION_GAS_MAX } from '../../consensus.ts';
import { HARDFORKS, type Hardfork } from '../../evm/index.ts';
import { contractAddress, contractId, hexToBytes, type Operation } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import { ethereumGenesis } from '../ethereum.testing.ts';
import { ETHEREUM_BLOCK_GAS_LIMIT } from '../genesis/test-genesis.ts';
import type { Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  refusalOf,
  sign,
  testGenesis,
} from '../ledger.testing.ts';

/** A contract that does nothing, by its init code. */
const IDLE = '6001600c60003960016000f300';
/** A contract that uses all gas of the call. */
const ENDLESS = '6004600c60003960046000f35b600056';
/** A contract that uses some 20,000,000 gas: it writes a byte beyond 3 MiB of memory. */
const COSTLY = '6008600c60003960086000f36000623100005300';

interface Opened {
  readonly ledger: Ledger;
  readonly store: Store;
}

/** A ledger by the rules of a fork with one contract, 1.11.0. */
async function openWithContract(hardfork: Hardfork, initCode: string): Promise<Opened> {
  const opened = await openTestLedger({ genesis: testGenesis({ hardfork }) });
  opened.ledger.pool.submit(sign(opened.ledger, [createContract(0, initCode)], [keyAt(0)]));
  expect(opened.ledger.blocks.receiptOf(1, 0)).toMatchObject({ status: 'success' });
  return opened;
}

function callContract(fee: bigint, code = ''): Operation {
  const registrar = accountAt(0);
  return { type: 'contractCall', fee: core(fee), registrar, value: core(0n), code, callee: contractId(0) };
}

const MOST: Readonly<Record<Hardfork, bigint>> = {
  london: 30_000_000n,
  paris: 30_000_000n,
  shanghai: 30_000_000n,
  cancun: 30_000_000n,
  prague: 30_000_000n,
  osaka: 16_777_216n,
};

describe('the most gas of an operation', () => {
  test('default', () => {
    expect([OPERATION_GAS_MAX, OPERATION_GAS_OSAKA_MAX]).toEqual([MOST.prague, MOST.osaka]);
  });

  test.each(HARDFORKS)('args: %s: it is allowed, and one more is refused', async (hardfork) => {
    const { ledger, store } = await openWithContract(hardfork, IDLE);
    const most = MOST[hardfork];
    expect(refusalOf(ledger, store, [callContract(most + 1n)], [keyAt(0)])).toContain(
      `more than the limit of ${most} for one operation`,
    );
    expect(refusalOf(ledger, store, [createContract(0, IDLE, 0n, most + 1n)], [keyAt(0)])).toContain(
      `more than the limit of ${most} for one operation`,
    );
    ledger.pool.submit(sign(ledger, [callContract(most)], [keyAt(0)]));
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'success', gasUsed: 21_000n });
  });
});

describe('estimates', () => {
  const message = { from: addressAt(0), to: contractAddress(contractId(0)) };

  test.each(HARDFORKS)('args: %s: never more than the most', async (hardfork) => {
    const { ledger } = await openWithContract(hardfork, ENDLESS);
    for (const gas of [undefined, 50_000_000n]) {
      expect(() => ledger.calls.estimateGas({ ...message, gas })).toThrow(
        `gas required exceeds allowance (${MOST[hardfork]})`,
      );
    }
  });

  test('behavior: a call of 20,000,000 gas can be estimated before Osaka, and not from then on', async () => {
    const prague = await openWithContract('prague', COSTLY);
    const estimate = prague.ledger.calls.estimateGas(message);
    expect(estimate).toBeGreaterThan(MOST.osaka);
    expect(estimate).toBeLessThanOrEqual(MOST.prague);
    const osaka = await openWithContract('osaka', COSTLY);
    expect(() => osaka.ledger.calls.estimateGas(message)).toThrow('gas required exceeds allowance');
  });

  test('behavior: the estimate of a call with much data is its floor, and is enough', async () => {
    const { ledger } = await openWithContract('osaka', IDLE);
    const code = 'ff'.repeat(100);
    const estimate = ledger.calls.estimateGas({ ...message, data: hexToBytes(code) });
    expect(estimate).toBe(25_000n);
    ledger.pool.submit(sign(ledger, [callContract(estimate, code)], [keyAt(0)]));
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'success', gasUsed: estimate });
  });
});

describe('a call with a time limit', () => {
  const to = contractAddress(contractId(0));
  /** Calls SHA-256 for ever. */
  const HASHES = '6011600c60003960116000f35b602060006000600060025afa50600056';

  test('default', async () => {
    const { ledger } = await openWithContract('osaka', HASHES);
    const aborted =
      'execution aborted (timeout = 0.02s): it exceeds the limit of computing for one call (--call-timeout)';
    const message = { from: addressAt(0), to, timeLimit: 20 };
    expect(() => ledger.calls.call(message)).toThrow(aborted);
    expect(() => ledger.calls.estimateGas(message)).toThrow(aborted);
    expect(ledger.calls.call({ to })).toMatchObject({ status: 'halt', halt: 'outOfGas' });
  });

  test('behavior: the runs of an estimate share it', async () => {
    const { ledger } = await openWithContract('osaka', COSTLY);
    expect(() => ledger.calls.estimateGas({ from: addressAt(0), to, timeLimit: -1 })).toThrow(
      'execution aborted',
    );
  });
});

describe('the floor of data (EIP-7623)', () => {
  /** 100 bytes other than zero: 1,600 gas in the call's own price, 4,000 as a floor. */
  const code = 'ff'.repeat(100);

  test.each(['prague', 'osaka'] as const)('error: %s: a fee below the floor', async (hardfork) => {
    const { ledger, store } = await openWithContract(hardfork, IDLE);
    for (const fee of [22_600n, 24_999n]) {
      expect(refusalOf(ledger, store, [callContract(fee, code)], [keyAt(0)])).toBe(
        `intrinsic gas too low: the fee gives ${fee} gas, the operation needs at least 25000`,
      );
    }
  });

  test('behavior: before Prague there is no calldata floor', async () => {
    const { ledger } = await openWithContract('cancun', IDLE);
    ledger.pool.submit(sign(ledger, [callContract(22_600n, code)], [keyAt(0)]));
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'success', gasUsed: 22_600n });
  });

  test('behavior: it is charged if the call uses less, and the rest stays with the payer', async () => {
    const { ledger } = await openWithContract('osaka', IDLE);
    const balance = ledger.accounts.balanceOf(addressAt(0));
    ledger.pool.submit(sign(ledger, [callContract(90_000n, code)], [keyAt(0)]));
    expect(ledger.blocks.receiptOf(2, 0)).toMatchObject({ status: 'success', gasUsed: 25_000n });
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(balance - 25_000n);
  });
});

describe('the gas that operations of one transaction offer together', () => {
  test('default', async () => {
    const { ledger } = await openWithContract('osaka', IDLE);
    const most = KNOWS_ETHEREUM ? ETHEREUM_BLOCK_GAS_LIMIT : TRANSACTION_GAS_MAX;
    const four = Array.from({ length: 4 }, () => callContract(most / 4n));
    expect(() => ledger.pool.submit(sign(ledger, four, [keyAt(0)]))).not.toThrow();
    expect(ledger.blocks.head().operationCount).toBe(4);
  });

  test('error: one more', async () => {
    const { ledger, store } = await openWithContract('osaka', IDLE);
    const four = [12_500_001n, ...Array<bigint>(3).fill(12_500_000n)].map((fee) => callContract(fee));
    expect(refusalOf(ledger, store, four, [keyAt(0)])).toBe(
      'the operations offer 50000001 gas together, more than the limit of 50000000 for one transaction',
    );
  });

  test('error: more than the gas limit of a block of a chain with Ethereum', async () => {
    const options = { genesis: ethereumGenesis(), mining: 'manual' } as const;
    const { ledger, store } = await openTestLedger(options);
    ledger.pool.submit(sign(ledger, [createContract(0, IDLE)], [keyAt(0)]));
    ledger.miner.mine();
    const four = (fee: bigint) => [callContract(fee), ...Array(3).fill(callContract(11_250_000n))];
    expect(refusalOf(ledger, store, four(11_250_001n), [keyAt(0)])).toBe(
      'the operations offer 45000001 gas together, more than the limit of 45000000 for one transaction',
    );
    ledger.miner.startMining();
    expect(refusalOf(ledger, store, four(12_000_000n), [keyAt(0)])).toContain('the limit of 45000000');
    ledger.pool.submit(sign(ledger, four(11_250_000n), [keyAt(0)]));
    expect(ledger.blocks.head()).toMatchObject({ number: 2, operationCount: 4 });
  });
});
