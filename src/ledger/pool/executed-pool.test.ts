import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexToBytes, toAddress, toHash } from '../../protocol/index.ts';
import { openStore } from '../../store/index.ts';
import { ethereumAddress, ethereumGenesis, MOVING_FEES, sendBy } from '../ethereum.testing.ts';
import { compareChains, type Ledger, RefusedError, replayChain, verifyState } from '../index.ts';
import { accountAt, keyAt, openTestLedger, sign, transfer } from '../ledger.testing.ts';
import { DEFAULT_PRICE_POLICY } from './prices.ts';

/** Stores the block's time in slot 0, its producer in slot 1, and counts its calls in slot 2. */
const CLOCK = toAddress(hexToBytes('c1'.repeat(20)));
const CLOCK_CODE = hexToBytes('425f55416001556002546001016002550000');
/** Counts its calls in slot 0, logs the sender, and reverts for a value. */
const COUNTER = toAddress(hexToBytes('c2'.repeat(20)));
const COUNTER_CODE = hexToBytes('3415600657005b5f546001015f55335f525f5f60205fa000');
const SLOT = toHash(new Uint8Array(32));

const GENESIS = ethereumGenesis({
  features: MOVING_FEES,
  contracts: [
    { address: CLOCK, code: CLOCK_CODE },
    { address: COUNTER, code: COUNTER_CODE },
  ],
});

const tip = fc.integer({ min: 0, max: 3 }).map((gwei) => BigInt(gwei) * 10n ** 9n);
const sender = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pay' as const), sender, tip }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('count' as const), sender, tip }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), sender, tip }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), sender, tip }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('native' as const), sender }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mineAt' as const), later: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revert' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('storage' as const, 'baseFee' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('limit' as const), gas: fc.constantFrom(undefined, 50_000n) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Chain {
  readonly ledger: Ledger;
  readonly clock: { time: number };
}

/** Takes the step of a number. Throws `RefusedError` where the rules do not allow it. */
function take({ ledger, clock }: Chain, taken: Step, number: number): void {
  switch (taken.kind) {
    case 'pay':
    case 'count':
    case 'time':
    case 'create':
      sendBy(taken.sender, ledger, { ...FIELDS[taken.kind], maxPriorityFeePerGas: taken.tip });
      return;
    case 'native': {
      const operation = transfer(taken.sender, accountAt((taken.sender + 1) % 4), BigInt(number));
      ledger.pool.submit(sign(ledger, [operation], [keyAt(taken.sender)]));
      return;
    }
    case 'mine':
      ledger.miner.mine();
      return;
    case 'mineAt':
      ledger.miner.mine(clock.time + taken.later);
      return;
    case 'wait':
      clock.time += 1;
      return;
    case 'revert':
      if (ledger.blocks.head().number > 0) ledger.chain.revertTo(ledger.blocks.head().number - 1);
      return;
    case 'storage':
      ledger.chain.patch(() => ({ type: 'storage', address: COUNTER, slot: SLOT, value: SLOT }));
      return;
    case 'baseFee':
      ledger.chain.patch(() => ({ type: 'baseFee', baseFee: BigInt(number) * 10n ** 8n }));
      return;
    case 'limit':
      ledger.miner.setGasLimit(taken.gas);
      return;
    default:
      taken satisfies never;
  }
}

const FIELDS = {
  pay: { value: 1n },
  count: { to: COUNTER, gas: 200_000n },
  time: { to: CLOCK, gas: 200_000n },
  create: { to: undefined, data: hexToBytes('60016000f3'), gas: 200_000n },
};

/** Takes steps, and those that are refused have no effect; then replays the chain and compares all tables. */
async function compareWithReplay(steps: readonly Step[], byFees: boolean): Promise<void> {
  const store = openStore({ durable: false });
  const target = openStore({ durable: false });
  const prices = { ...DEFAULT_PRICE_POLICY, order: byFees ? ('fees' as const) : ('fifo' as const) };
  const chain = await openTestLedger({ store, genesis: GENESIS, mining: 'manual', prices });
  for (const [index, taken] of steps.entries()) {
    try {
      take(chain, taken, index + 1);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
    }
  }
  chain.ledger.miner.mine();
  await verifyState(store);
  await replayChain({ source: store, target });
  expect(await compareChains(store, target)).toBeUndefined();
  await target.close();
  await store.close();
}

test('behavior: blocks that reuse executions replay identically', async () => {
  const history = fc.array(step, { minLength: 8, maxLength: 40 });
  await fc.assert(fc.asyncProperty(history, fc.boolean(), compareWithReplay), { numRuns: 20 });
});

test('behavior: reads after such a block see its state', async () => {
  const { ledger, clock } = await openTestLedger({ genesis: GENESIS, mining: 'manual' });
  for (let round = 1; round <= 3; round += 1) {
    for (const index of [0, 1, 2, 3]) sendBy(index, ledger, { to: COUNTER, gas: 200_000n });
    clock.time += 1;
    expect(ledger.miner.mine().operationCount).toBe(4);
    expect(ledger.accounts.storageAt(COUNTER, SLOT).at(-1)).toBe(4 * round);
    expect(ledger.accounts.nonceOf(ethereumAddress(0))).toBe(BigInt(round));
  }
});

test('behavior: code that has read the time sees that of its block', async () => {
  const { ledger, clock } = await openTestLedger({ genesis: GENESIS, mining: 'manual' });
  for (const wait of [0, 1, 5]) {
    sendBy(0, ledger, { to: CLOCK, gas: 200_000n });
    clock.time += wait;
    const { header } = ledger.miner.mine();
    const stored = ledger.accounts.storageAt(CLOCK, SLOT);
    expect(Number(Buffer.from(stored).readBigUInt64BE(24))).toBe(header.timestamp);
  }
});

test('behavior: a transaction that arrives while a block waits for its order is in the next one', async () => {
  const { ledger, store } = await openTestLedger({ genesis: GENESIS, mining: 'manual' });
  for (const sender of [0, 1]) sendBy(sender, ledger, { value: 1n });
  const steps = ledger.miner.beginBlock(Number.POSITIVE_INFINITY, {}, 'log');
  while (!steps.make(Number.POSITIVE_INFINITY));
  void steps.sign();
  sendBy(2, ledger, { value: 1n });
  steps.store(Number.POSITIVE_INFINITY);
  expect([ledger.blocks.head().operationCount, ledger.pool.pendingCount]).toEqual([2, 1]);
  expect(ledger.miner.mine().operationCount).toBe(1);
  await verifyState(store);
});
