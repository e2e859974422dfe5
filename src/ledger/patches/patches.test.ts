import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KNOWS_ETHEREUM, WEI_OF_UNIT } from '../../../test/chain-kind.ts';
import { AMOUNT_MAX } from '../../consensus.ts';
import {
  type Address,
  contractAddress,
  contractId,
  hexToBytes,
  type Operation,
  toAddress,
  toHash,
} from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { compareChains, type Ledger, type Patch, replayChain, TestChain, verifyState } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  evmAddressOf,
  keyAt,
  openTestLedger,
  sign,
  TEST_BALANCE,
  testGenesis,
  transfer,
} from '../ledger.testing.ts';

/** Returns 42. */
const ANSWERING = hexToBytes('602a60005260206000f3');
/** Returns its slot 0. */
const READING = hexToBytes('60005460005260206000f3');
/** Stores PREVRANDAO in its slot 0. */
const RAND_STORING = hexToBytes('4460005500');
const ANYWHERE = toAddress(hexToBytes('11'.repeat(20)));
const word = (value: number) => toHash(hexToBytes(value.toString(16).padStart(64, '0')));

/** Calls the first contract. */
const callOfAnywhere: Operation = {
  type: 'contractCall',
  fee: core(100_000n),
  registrar: accountAt(0),
  value: core(0n),
  code: '',
  callee: contractId(0),
};

let ledger: Ledger;
let store: Store;
const stores: Store[] = [];

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
});

afterEach(async () => {
  for (const opened of stores.splice(0)) await opened.close();
});

const patch = (change: Patch): void => ledger.chain.patch(() => change);
const setBalance = (address: Address, balance: bigint): void =>
  patch({ type: 'balances', balances: [{ address, balance: balance * WEI_OF_UNIT }] });
const send = (amount: bigint, from = 0) =>
  ledger.pool.submit(sign(ledger, [transfer(from, accountAt(1), amount)], [keyAt(from)]));
const answerOf = (to: Address): string =>
  Buffer.from((ledger.calls.call({ to }) as { output: Uint8Array }).output).toString('hex');

function emptyStore(history = true): Store {
  const opened = openStore({ durable: false, history });
  stores.push(opened);
  return opened;
}

/** Checks that a replay gives the same tables, and that the state matches its root. */
async function expectReplayable(): Promise<void> {
  await verifyState(store);
  const target = emptyStore();
  await replayChain({ source: store, target });
  expect(await compareChains(store, target)).toBeUndefined();
  await verifyState(target);
}

describe('a patch', () => {
  test('default: changes the state at once, produces no block, and is replayed before the same block', async () => {
    setBalance(addressAt(0), 5n);
    expect([
      ledger.accounts.balanceOf(addressAt(0)),
      ledger.blocks.head().number,
      ledger.chain.patchCount,
    ]).toEqual([5n, 0, 1]);
    setBalance(addressAt(0), 1_000n);
    send(7n);
    setBalance(ANYWHERE, 3n);
    patch({ type: 'operationCount', address: addressAt(0), count: 9n });
    expect([ledger.accounts.balanceOf(addressAt(0)), ledger.accounts.operationCount(addressAt(0))]).toEqual([
      973n,
      9,
    ]);
    send(1n);
    expect(ledger.accounts.operationCount(addressAt(0))).toBe(10);
    await expectReplayable();
    setBalance(addressAt(2), 0n);
    await expectReplayable();
  });

  test('behavior: sets code and storage of a contract and of an empty address', async () => {
    ledger.pool.submit(
      sign(ledger, [createContract(0, '600a600c600039600a6000f3602a60005260206000f3')], [keyAt(0)]),
    );
    const contract = contractAddress(contractId(0));
    patch({ type: 'code', address: contract, code: READING });
    patch({ type: 'storage', address: contract, slot: word(0), value: word(7) });
    patch({ type: 'code', address: ANYWHERE, code: ANSWERING });
    expect([answerOf(contract), answerOf(ANYWHERE)].map((answer) => Number(`0x${answer}`))).toEqual([7, 42]);
    expect(ledger.accounts.contractIdAt(ANYWHERE)).toBe(1);
    patch({ type: 'storage', address: contract, slot: word(0), value: word(0) });
    patch({ type: 'code', address: ANYWHERE, code: new Uint8Array() });
    expect([Number(`0x${answerOf(contract)}`), answerOf(ANYWHERE)]).toEqual([0, '']);
    patch({ type: 'storage', address: addressAt(3), slot: word(1), value: word(2) });
    expect(ledger.accounts.storageAt(addressAt(3), word(1))).toEqual(word(2));
    patch({ type: 'nonce', address: contract, count: 12n });
    await expectReplayable();
  });

  test('behavior: code leaves the nonce as it is; stored patches of former programs raise it to 1', async () => {
    const others = [`22`, '33'].map((digits) => toAddress(hexToBytes(digits.repeat(20)))) as [
      Address,
      Address,
    ];
    patch({ type: 'code', address: others[0], code: ANSWERING });
    patch({ type: 'contractCode', address: others[1], code: ANSWERING });
    expect(others.map((address) => ledger.accounts.nonceOf(address))).toEqual([0n, 1n]);
    await expectReplayable();
  });

  test('behavior: PREVRANDAO of the next block, once', async () => {
    patch({ type: 'code', address: ANYWHERE, code: RAND_STORING });
    patch({ type: 'rand', rand: word(1) });
    patch({ type: 'rand', rand: word(9) });
    const call = () => ledger.pool.submit(sign(ledger, [callOfAnywhere], [keyAt(0)]));
    call();
    expect([ledger.blocks.head().header.rand, ledger.accounts.storageAt(ANYWHERE, word(0))]).toEqual([
      word(9),
      word(9),
    ]);
    call();
    const { rand } = ledger.blocks.head().header;
    expect(rand).not.toEqual(word(9));
    expect(ledger.accounts.storageAt(ANYWHERE, word(0))).toEqual(rand);
    await expectReplayable();
  });

  test('behavior: pending transactions are executed again, and dropped if they became invalid', async () => {
    ({ ledger, store } = await openTestLedger({ mining: 'manual' }));
    const dropped: string[] = [];
    ledger.pool.onDropped(({ error }) => dropped.push(error.message));
    send(7n);
    send(7n, 2);
    setBalance(addressAt(0), 26n);
    expect([ledger.pool.pendingCount, dropped.length]).toEqual([1, 1]);
    expect(dropped[0]).toContain('insufficient funds');
    ledger.miner.mine();
    expect(ledger.blocks.head().operationCount).toBe(1);
    await expectReplayable();
  });

  test('behavior: is part of the history of the next block', () => {
    send(1n);
    const before = ledger.history.stateBefore(2);
    expect(before.accounts.balanceOf(addressAt(3))).toBe(TEST_BALANCE);
    setBalance(addressAt(3), 8n);
    expect(ledger.history.stateBefore(2).accounts.balanceOf(addressAt(3))).toBe(8n);
    send(1n);
    setBalance(addressAt(3), 9n);
    expect(
      [1, 2, 3].map((block) => ledger.history.stateBefore(block).accounts.balanceOf(addressAt(3))),
    ).toEqual([TEST_BALANCE, 8n, 9n]);
  });

  test('behavior: works without undo records', async () => {
    const kept = openStore({ durable: false, undoBlocks: 0 });
    stores.push(kept);
    ({ ledger, store } = await openTestLedger({ store: kept }));
    setBalance(addressAt(0), 500n);
    send(1n);
    setBalance(addressAt(0), 600n);
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(600n);
    await verifyState(store);
    const target = emptyStore();
    await replayChain({ source: store, target });
    expect([...target.stateEntries()]).toEqual([...store.stateEntries()]);
  });

  test('behavior: notifies listeners, and leaves the reorganisation count as it is', () => {
    let told = 0;
    const stop = ledger.chain.onPatched(() => {
      told += 1;
    });
    ledger.history.onReorg(() => expect.unreachable());
    setBalance(addressAt(0), 5n);
    stop();
    setBalance(addressAt(0), 6n);
    expect([told, ledger.history.reorgCount]).toEqual([1, 0]);
  });
});

describe('snapshots', () => {
  test('default: a revert restores the state with earlier patches and without later ones', async () => {
    const chain = new TestChain(ledger, store);
    setBalance(ANYWHERE, 1n);
    patch({ type: 'rand', rand: word(5) });
    const before = [...store.tables()].filter(({ table }) => table === 'patches' || table === 'state');
    const id = chain.takeSnapshot();
    setBalance(ANYWHERE, 2n);
    send(1n);
    setBalance(ANYWHERE, 3n);
    for (const keep of [true, false]) {
      expect(chain.revertToSnapshot(id, keep)).toBe(true);
      expect([...store.tables()].filter(({ table }) => table === 'patches' || table === 'state')).toEqual(
        before,
      );
      expect(ledger.accounts.balanceOf(ANYWHERE)).toBe(1n);
      ledger.miner.mine();
      expect(ledger.blocks.head().header.rand).toEqual(word(5));
      await expectReplayable();
    }
  });

  test('behavior: a rollback also reverts the patches after its blocks, and a reset reverts all', async () => {
    const chain = new TestChain(ledger, store);
    setBalance(ANYWHERE, 1n);
    send(1n);
    setBalance(ANYWHERE, 2n);
    send(1n);
    setBalance(ANYWHERE, 3n);
    chain.rollBack(1);
    expect([ledger.accounts.balanceOf(ANYWHERE), ledger.chain.patchCount]).toEqual([1n, 0]);
    await expectReplayable();
    setBalance(ANYWHERE, 4n);
    chain.reorganize(1, () => []);
    expect([ledger.accounts.balanceOf(ANYWHERE), ledger.blocks.head().number]).toEqual([0n, 1]);
    setBalance(ANYWHERE, 5n);
    chain.reset();
    expect([
      ledger.accounts.balanceOf(ANYWHERE),
      ledger.blocks.head().number,
      ledger.chain.patchCount,
    ]).toEqual([0n, 0, 0]);
    await expectReplayable();
  });
});

describe('refused patches', () => {
  const refusalOf = (change: Patch): string => {
    const before = [...store.tables()];
    try {
      patch(change);
    } catch (error) {
      expect([...store.tables()]).toEqual(before);
      return (error as Error).message;
    }
    return 'it was done';
  };

  test('error: an account has no code', () => {
    expect(refusalOf({ type: 'code', address: addressAt(0), code: ANSWERING })).toMatch(
      /^an account has no code: 0x0{37}400 is/,
    );
  });

  test('error: an address that is only the EVM address of an account', () => {
    const address = evmAddressOf(keyAt(0).publicKey);
    const changes: Patch[] = [
      { type: 'balances', balances: [{ address, balance: 1n }] },
      { type: 'code', address, code: ANSWERING },
      { type: 'storage', address, slot: word(0), value: word(1) },
      { type: 'operationCount', address, count: 1n },
    ];
    for (const change of changes) {
      expect(refusalOf(change)).toMatch(/is the EVM address of the account 0x0{37}400: give that address$/);
    }
  });

  test.skipIf(KNOWS_ETHEREUM)('error: the address of a contract that does not exist yet', () => {
    const change = (instance: number): Patch => {
      return { type: 'code', address: contractAddress(contractId(instance)), code: ANSWERING };
    };
    expect(refusalOf(change(1))).toContain('1.11.1, which does not exist yet: the next one is 1.11.0');
    patch(change(0));
    expect(ledger.accounts.contractIdAt(contractAddress(contractId(0)))).toBe(0);
  });

  test('error: a total balance above the limit of the chain', () => {
    setBalance(addressAt(0), AMOUNT_MAX);
    const balances = [{ address: addressAt(1), balance: AMOUNT_MAX * WEI_OF_UNIT }];
    const change: Patch = { type: 'balances', balances };
    expect(refusalOf(change)).toMatch(
      /^all balances together would be 1844\d{16} native units, more than the limit of 18446744073709551615$/,
    );
  });

  test.skipIf(KNOWS_ETHEREUM)('error: no contract has created any', () => {
    expect(refusalOf({ type: 'nonce', address: ANYWHERE, count: 1n })).toContain('there is no contract at');
  });

  test('error: patches that no call makes, but an archive might contain', () => {
    const balances = [1n, 2n].map((balance) => ({ address: ANYWHERE, balance }));
    expect(refusalOf({ type: 'balances', balances })).toContain('it sets a balance twice');
    const change: Patch = { type: 'operationCount', address: ANYWHERE, count: 2n ** 63n };
    expect(refusalOf(change)).toContain('a count is too large');
  });

  test('error: counts on a chain that does not count', async () => {
    ({ ledger, store } = await openTestLedger({ store: emptyStore(false) }));
    expect(refusalOf({ type: 'operationCount', address: addressAt(0), count: 1n })).toContain(
      'history plugin',
    );
  });

  test('error: a chain that is not one of test mode', async () => {
    const genesis = testGenesis();
    const [first, ...others] = genesis.accounts;
    if (first === undefined) return expect.unreachable();
    const renamed = { ...genesis, accounts: [{ ...first, name: 'somebody' }, ...others] };
    ({ ledger, store } = await openTestLedger({ genesis: renamed }));
    expect(refusalOf({ type: 'rand', rand: word(1) })).toBe(
      'only test chains can be changed without a block',
    );
  });

  test('error: a replay that leaves another supply', () => {
    setBalance(addressAt(0), 5n);
    const [record] = [...store.patchesAfter(0)];
    setBalance(addressAt(1), 5n);
    expect(() => record && ledger.chain.importPatch(record)).toThrow('its sum of all balances is');
  });
});
