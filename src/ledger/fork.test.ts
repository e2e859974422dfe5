import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Address,
  concatBytes,
  hexToBytes,
  numberToBytes,
  toAddress,
  toHash,
} from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import {
  ETHEREUM_BALANCE,
  ethereumAddress,
  ethereumGenesis,
  MOVING_FEES,
  sendBy,
} from './ethereum.testing.ts';
import { type RemoteAccount, RemoteState } from './fork-base.testing.ts';
import {
  compareChains,
  type Ledger,
  type LedgerQueries,
  PendingBlockUnmadeError,
  RefusedError,
  replayChain,
  verifyState,
} from './index.ts';
import { openTestLedger } from './ledger.testing.ts';
import type { LedgerOptions } from './ledger.ts';
import { MissingEntriesError } from './state/fork-base.ts';

const NUMBER = 21_000_000;
const word = (value: number) => toHash(numberToBytes(BigInt(value), 32));

/**
 * Sets slot a of its call to b, increases slot a + 1, and calls address c with d wei, where the words of the call data
 * are a, b, c, d.
 */
const WALKER_CODE = hexToBytes('6020355f35555f3560010180546001019055' + '5f5f5f5f6060356040355af15000');
const WALKERS = ['d1', 'd2'].map((byte) => toAddress(hexToBytes(byte.repeat(20))));
const HOLDER = toAddress(hexToBytes('d3'.repeat(20)));
/** A burn address, whose form is that of an account of the ledger. */
const BURNED = toAddress(hexToBytes(`${'00'.repeat(18)}dead`));
const TARGETS: readonly Address[] = [...WALKERS, HOLDER, BURNED, ethereumAddress(0)];

const REMOTE: readonly RemoteAccount[] = [
  ...WALKERS.map((address, index) => ({
    address,
    balance: 10n ** 18n,
    nonce: 1n,
    code: WALKER_CODE,
    storage: new Map([0, 1, 2].map((slot) => [word(slot), word(slot + 5 + index)])),
  })),
  { address: HOLDER, balance: 7n },
  { address: BURNED, balance: 10n ** 20n },
  // It has no account in the genesis.
  { address: ethereumAddress(3), balance: 10n ** 19n, nonce: 5n },
];

const GENESIS = ethereumGenesis({
  features: MOVING_FEES,
  accounts: [0, 1, 2].map((index) => ({ address: ethereumAddress(index), balance: ETHEREUM_BALANCE })),
  fork: { number: NUMBER, hash: word(1), stateRoot: word(2), excessBlobGas: 0n },
});

async function open(isComplete: boolean, options: Partial<LedgerOptions> = {}) {
  const base = new RemoteState(REMOTE, isComplete);
  for (const { address } of GENESIS.ethereum?.accounts ?? []) base.add({ kind: 'account', address });
  return { base, ...(await openTestLedger({ genesis: GENESIS, base, mining: 'manual', ...options })) };
}

/** Runs an action until no entry is missing. `arrives` selects some of the missing entries, and at least one. */
function withEntries<T>(base: RemoteState, arrives: (count: number) => number, action: () => T): T {
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof MissingEntriesError)) throw error;
      const first = arrives(error.entries.length);
      for (const entry of error.entries.slice(first)) base.add(entry);
    }
  }
}

const walk = fc.record({
  kind: fc.constant('walk' as const),
  sender: fc.nat(3),
  walker: fc.nat(1),
  slot: fc.nat(3),
  value: fc.constantFrom(0, 1, 9),
  target: fc.nat(TARGETS.length - 1),
  wei: fc.constantFrom(0, 3),
});
const step = fc.oneof(
  { weight: 6, arbitrary: walk },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), sender: fc.nat(3), target: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revert' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), target: fc.nat(3), value: fc.nat(2) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function take(ledger: Ledger, taken: Step): void {
  switch (taken.kind) {
    case 'walk': {
      const { slot, value, wei } = taken;
      const target = TARGETS[taken.target] ?? HOLDER;
      const words = [word(slot), word(value), new Uint8Array(12), target, word(wei)];
      const to = WALKERS[taken.walker];
      sendBy(taken.sender, ledger, { to, data: concatBytes(...words), gas: 400_000n });
      return;
    }
    case 'pay':
      sendBy(taken.sender, ledger, { to: TARGETS[taken.target], value: 5n, gas: 400_000n });
      return;
    case 'mine':
      ledger.miner.mine();
      return;
    case 'revert':
      if (ledger.blocks.head().number > NUMBER) ledger.chain.revertTo(ledger.blocks.head().number - 1);
      return;
    case 'patch': {
      const address = TARGETS[taken.target] ?? HOLDER;
      ledger.chain.patch(() => ({ type: 'storage', address, slot: word(0), value: word(taken.value) }));
      return;
    }
  }
}

test('default: the chain continues from the block of the fork, and reads its state', async () => {
  const { ledger, base } = await open(false);
  expect(ledger.blocks.head().number).toBe(NUMBER);
  expect(() => ledger.accounts.weiBalanceOf(HOLDER)).toThrow(MissingEntriesError);
  const known = withEntries(
    base,
    () => 0,
    () => ledger.accounts.weiBalanceOf(HOLDER),
  );
  expect(known).toBe(7n);
  withEntries(
    base,
    () => 0,
    () => sendBy(0, ledger, { to: HOLDER, value: 5n }),
  );
  withEntries(
    base,
    () => 0,
    () => ledger.miner.mine(),
  );
  expect(ledger.blocks.head().number).toBe(NUMBER + 1);
  expect(ledger.accounts.weiBalanceOf(HOLDER)).toBe(12n);
  expect(ledger.history.stateBefore(NUMBER + 1).accounts.weiBalanceOf(HOLDER)).toBe(7n);
});

test('behavior: a transfer does not read the coinbase, which is warm from the start (EIP-3651)', async () => {
  const { ledger } = await open(false);
  const before = ledger.accounts.weiBalanceOf(ethereumAddress(1));
  sendBy(0, ledger, { to: ethereumAddress(1), value: 5n });
  ledger.miner.mine();
  expect(ledger.accounts.weiBalanceOf(ethereumAddress(1))).toBe(before + 5n);
});

test('behavior: in whatever order entries arrive, blocks are those of a chain that has all of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(), async (steps, seed) => {
      const stores = [openStore({ durable: false }), openStore({ durable: false })] as const;
      const complete = await open(true, { store: stores[0] });
      const lazy = await open(false, { store: stores[1] });
      let random = seed;
      const arrives = (count: number): number => {
        random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
        return random % count;
      };
      for (const [index, taken] of steps.entries()) {
        const outcomes = [complete, lazy].map(({ ledger, base, clock }) => {
          clock.time += index % 3;
          try {
            withEntries(base, arrives, () => take(ledger, taken));
            return 'done';
          } catch (error) {
            if (!(error instanceof RefusedError)) throw error;
            return error.message;
          }
        });
        expect(outcomes[1]).toBe(outcomes[0]);
        expect(lazy.ledger.blocks.head().id).toEqual(complete.ledger.blocks.head().id);
      }
      for (const { ledger, base } of [complete, lazy]) {
        withEntries(base, arrives, () => ledger.pool.refreshPending(Number.POSITIVE_INFINITY));
      }
      for (const target of [...TARGETS, ethereumAddress(3)]) {
        const balances = [complete, lazy].map(({ ledger, base }) =>
          withEntries(base, arrives, () => [
            ledger.accounts.weiBalanceOf(target),
            pendingChain(ledger).accounts.weiBalanceOf(target),
            ledger.accounts.storageAt(target, word(0)),
          ]),
        );
        expect(balances[1]).toEqual(balances[0]);
      }
      expect([...lazy.store.stateEntries()]).toEqual([...complete.store.stateEntries()]);
      for (const store of stores) await store.close();
    }),
    { numRuns: 40 },
  );
});

/** Returns the chain with the pending block, however long it takes. */
function pendingChain({ pool }: Ledger): LedgerQueries {
  const { pending: block } = pool;
  try {
    return block.chain;
  } catch (error) {
    if (!(error instanceof PendingBlockUnmadeError)) throw error;
    block.make(error.attempt, Number.POSITIVE_INFINITY);
    return block.whileGiven(() => block.chain);
  }
}

test('behavior: a slot or an account that this chain has removed is not the remote one again', async () => {
  const { ledger } = await open(true);
  const [walker = HOLDER] = WALKERS;
  ledger.chain.patch(() => ({ type: 'storage', address: walker, slot: word(0), value: word(0) }));
  ledger.chain.patch(() => ({ type: 'balances', balances: [{ address: HOLDER, balance: 0n }] }));
  expect(ledger.accounts.storageAt(walker, word(0))).toEqual(word(0));
  expect(ledger.accounts.storageAt(walker, word(1))).toEqual(word(6));
  expect(ledger.accounts.weiBalanceOf(HOLDER)).toBe(0n);
  ledger.miner.mine();
  ledger.chain.revertTo(NUMBER);
  expect(ledger.accounts.storageAt(walker, word(0))).toEqual(word(5));
  expect(ledger.accounts.weiBalanceOf(HOLDER)).toBe(7n);
});

test('error: a forked chain does not open without its base', async () => {
  const store = openStore({ durable: false });
  await expect(openTestLedger({ genesis: GENESIS, store })).rejects.toMatchObject({ code: 'NO_FORK_BASE' });
  await store.close();
});

test('default: a forked chain verifies, by its state and by a replay of its blocks', async () => {
  const { ledger, base, store } = await open(true);
  const [walker = HOLDER] = WALKERS;
  for (const sender of [0, 1, 2]) sendBy(sender, ledger, { to: HOLDER, value: 5n, gas: 400_000n });
  sendBy(0, ledger, {
    to: walker,
    data: concatBytes(word(0), word(0), new Uint8Array(12), HOLDER, word(3)),
    gas: 400_000n,
  });
  ledger.miner.mine();
  ledger.chain.patch(() => ({ type: 'balances', balances: [{ address: HOLDER, balance: 0n }] }));
  ledger.miner.mine();
  const { head } = await verifyState(store, { base });
  expect(head).toBe(NUMBER + 2);
  const target = openStore({ durable: false, history: store.history });
  await replayChain({ source: store, target, base });
  expect(await compareChains(store, target)).toBeUndefined();
  await target.close();
});

/** Opens a chain with two pending transactions of one sender, whose entries are missing again. */
async function openPending(mining: 'instant' | 'manual') {
  const first = await open(false);
  const data = concatBytes(word(0), word(9), new Uint8Array(12), HOLDER, word(0));
  withEntries(
    first.base,
    () => 0,
    () => sendBy(0, first.ledger, { to: ethereumAddress(1), value: 5n, gas: 400_000n }),
  );
  withEntries(
    first.base,
    () => 0,
    () => sendBy(0, first.ledger, { to: WALKERS[0], data, gas: 400_000n }),
  );
  return open(false, { store: first.store, mining });
}

test('behavior: a chain opens with pending transactions whose entries are missing, and includes all', async () => {
  const { ledger, base } = await openPending('manual');
  expect(ledger.pool.pendingCount).toBe(2);
  withEntries(
    base,
    () => 0,
    () => ledger.pool.refreshPending(Number.POSITIVE_INFINITY),
  );
  ledger.miner.mine();
  expect(ledger.pool.pendingCount).toBe(0);
  expect(ledger.blocks.head().number).toBe(NUMBER + 1);
});

test('behavior: a block is stored while entries of other pending transactions are missing', async () => {
  const { ledger } = await openPending('manual');
  const told: number[] = [];
  ledger.chain.onBlock(({ number }) => told.push(number));
  ledger.miner.mineOnly([], ledger.blocks.head().header.timestamp);
  expect([told, ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([
    [NUMBER + 1],
    NUMBER + 1,
    2,
  ]);
});

test('behavior: with instant production they get their blocks once the entries are here', async () => {
  const { ledger, base } = await openPending('instant');
  ledger.miner.onMissing(({ entries }) => {
    for (const entry of entries) base.add(entry);
    ledger.miner.minePending();
  });
  expect(ledger.pool.pendingCount).toBe(2);
  ledger.miner.minePending();
  expect(ledger.pool.pendingCount).toBe(0);
});
