import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes } from '../../protocol/index.ts';
import {
  openStore,
  openStoreForReading,
  type Store,
  type StoreReader,
  type TableEntry,
} from '../../store/index.ts';
import { ChainDamagedError, compareChains, replayChain, verifyState } from '../index.ts';
import {
  accountAt,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  testGenesis,
  transfer,
} from '../ledger.testing.ts';
import { makeBusyChain } from './busy-chain.testing.ts';

let folder: string;
const stores: StoreReader[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-verification-'));
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

function kept<T extends StoreReader>(store: T): T {
  stores.push(store);
  return store;
}

/** Makes a chain with a pending transaction, and opens it for reading. */
async function busyChain(): Promise<StoreReader> {
  const store = openStore({ path: join(folder, 'chain'), durable: true });
  const { ledger } = await openTestLedger({ store });
  makeBusyChain(ledger);
  ledger.pool.submit(sign(ledger, [transfer(2, accountAt(3), 1n)], [keyAt(2)]));
  ledger.miner.stopMining();
  ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
  await store.close();
  return kept(openStoreForReading(join(folder, 'chain')));
}

const emptyStore = (): Store => kept(openStore({ durable: false }));

/** Changes a byte of the value of an entry in the file, wherever the file has it. */
async function damage(source: StoreReader, { key, value }: TableEntry, offset: number): Promise<StoreReader> {
  await source.close();
  const path = join(folder, 'chain', 'ledger.mdb');
  const file = readFileSync(path);
  const entry = concatBytes(key, value);
  let found = 0;
  for (let at = file.indexOf(entry); at >= 0; at = file.indexOf(entry, at + 1)) {
    const place = at + key.length + offset;
    file.writeUInt8(file.readUInt8(place) ^ 1, place);
    found += 1;
  }
  expect(found).toBeGreaterThan(0);
  writeFileSync(path, file);
  return kept(openStoreForReading(join(folder, 'chain')));
}

function entryOf(source: StoreReader, matches: (entry: TableEntry) => boolean): TableEntry {
  for (const entry of source.tables()) if (matches(entry)) return entry;
  throw new RangeError('there is such an entry');
}

async function damageOf(check: Promise<unknown>): Promise<string> {
  const outcome = await check.then(
    () => 'nothing was found',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ChainDamagedError);
  return (outcome as ChainDamagedError).message;
}

describe('a sound chain', () => {
  test('default: the state matches the root in the head block', async () => {
    const source = await busyChain();
    const counted: number[] = [];
    const report = await verifyState(source, { onProgress: (entries) => counted.push(entries) });
    const supply = testGenesis().accounts.reduce((sum, { balance }) => sum + balance, 0n);
    expect(report).toMatchObject({ head: 42, supply });
    expect(report.entries).toBe([...source.stateEntries()].length);
    expect(counted.at(-1)).toBe(report.entries);
  });

  test('default: a replay gives the same tables except the pending transactions', async () => {
    const source = await busyChain();
    const target = emptyStore();
    const reported: number[] = [];
    await replayChain({ source, target, onBlock: (number) => reported.push(number) });
    expect(reported).toEqual(Array.from({ length: 42 }, (_, index) => index + 1));
    expect([...source.pendingTransactions()]).toHaveLength(1);
    expect([...target.pendingTransactions()]).toHaveLength(0);
    let compared = 0;
    const options = { onProgress: (entries: number) => (compared = entries) };
    expect(await compareChains(source, target, options)).toBeUndefined();
    // Everything except the format of the file and the first number of its undo records.
    expect(compared).toBe([...target.tables()].length - 2);
  });

  test('behavior: a chain of the genesis alone', async () => {
    const [source, target] = [emptyStore(), emptyStore()];
    const { ledger } = await openTestLedger({ store: source });
    expect(await verifyState(source)).toMatchObject({ head: 0 });
    await replayChain({ source, target });
    expect(await compareChains(source, target)).toBeUndefined();
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('behavior: a ledger opens on a replay and continues', async () => {
    const target = emptyStore();
    await replayChain({ source: await busyChain(), target, lastBlock: 7 });
    const { ledger } = await openTestLedger({ store: target, genesis: undefined });
    expect(ledger.blocks.head().number).toBe(7);
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    expect(bytesToHex(rootByScan(target))).toBe(ledger.blocks.head().header.vmRoot[0]?.slice(0, 64));
  });

  test('behavior: a stopped replay resumes', async () => {
    const source = await busyChain();
    const target = emptyStore();
    const stop = new AbortController();
    const replay = replayChain({
      source,
      target,
      stop: stop.signal,
      onBlock: (number) => {
        if (number === 5) stop.abort(new RangeError('enough'));
      },
    });
    await expect(replay).rejects.toThrow('enough');
    expect(target.head()).toBe(5);
    await expect(verifyState(source, { stop: stop.signal })).rejects.toThrow('enough');
    await expect(compareChains(source, target, { stop: stop.signal })).rejects.toThrow('enough');
    await replayChain({ source, target });
    expect(await compareChains(source, target)).toBeUndefined();
  });

  test('behavior: the state can be checked while blocks are added', async () => {
    const store = kept(openStore({ path: join(folder, 'live'), durable: true }));
    const { ledger } = await openTestLedger({ store });
    makeBusyChain(ledger);
    const source = kept(openStoreForReading(join(folder, 'live')));
    const { number } = ledger.blocks.head();
    const onProgress = (entries: number) => {
      if (entries % 10 === 0)
        ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), BigInt(entries))], [keyAt(0)]));
    };
    expect(await verifyState(source, { onProgress })).toMatchObject({ head: number });
    expect(ledger.blocks.head().number).toBeGreaterThan(number);
  });
});

describe('a damaged chain', () => {
  test('error: one balance', async () => {
    const sound = await busyChain();
    const balance = entryOf(sound, ({ table, key }) => table === 'state' && key[0] === 1 && key[19] === 4);
    const source = await damage(sound, balance, 2);
    const message = await damageOf(verifyState(source));
    expect(message).toMatch(
      /^the stored chain is damaged: the state root of block 42 is [0-9a-f]{64}, and a scan/,
    );
    const target = emptyStore();
    await replayChain({ source, target });
    const difference = await compareChains(source, target);
    expect(difference).toMatchObject({ table: 'state', key: balance.key, right: balance.value });
    expect(difference?.left).not.toEqual(balance.value);
  });

  test('error: a damaged storage slot of a contract', async () => {
    const sound = await busyChain();
    const slot = entryOf(sound, ({ table, key }) => table === 'state' && key[0] === 2);
    const source = await damage(sound, slot, 0);
    expect(await damageOf(verifyState(source))).toContain('the state root of block 42');
    const target = emptyStore();
    await replayChain({ source, target });
    expect(await compareChains(target, source)).toMatchObject({ table: 'state', left: slot.value });
  });

  test('error: an old receipt', async () => {
    const sound = await busyChain();
    const receipt = entryOf(sound, ({ table, key }) => table === 'receipts' && key[3] === 8);
    const source = await damage(sound, receipt, receipt.value.length - 2);
    await verifyState(source);
    const target = emptyStore();
    await replayChain({ source, target });
    expect(await compareChains(source, target)).toMatchObject({ table: 'receipts', key: receipt.key });
  });

  test.each([
    ['its transaction', 'transactions', 4, 12, /block 4 cannot be applied: block 4 rejected: transaction/],
    ['its header', 'blocks', 4, 60, /block 4 cannot be applied: /],
  ] as const)('error: an old block: %s', async (_title, table, block, offset, message) => {
    const sound = await busyChain();
    const entry = entryOf(sound, (candidate) => candidate.table === table && candidate.key[3] === block);
    const source = await damage(sound, entry, offset);
    await verifyState(source);
    const target = emptyStore();
    expect(await damageOf(replayChain({ source, target }))).toMatch(message);
    expect(target.head()).toBe(block - 1);
  });

  test.each([
    ['transactions', 42, /the transaction_merkle_root of block 42 is/],
    ['receipts', 42, /the digest of the receipts of block 42 is/],
    ['blocks', 42, /the id of block 42 is/],
    ['blocks', 41, /the previous block of block 42 is/],
  ] as const)('error: the newest blocks: %s of block %i', async (table, block, message) => {
    const sound = await busyChain();
    const entry = entryOf(sound, (candidate) => candidate.table === table && candidate.key[3] === block);
    const offset = table === 'blocks' ? 5 : entry.value.length - 1;
    expect(await damageOf(verifyState(await damage(sound, entry, offset)))).toMatch(message);
  });

  test('error: the genesis', async () => {
    const sound = await busyChain();
    const name = Buffer.from('genesis');
    const genesis = entryOf(
      sound,
      ({ table, key }) => table === 'meta' && bytesToHex(key) === name.toString('hex'),
    );
    const source = await damage(sound, genesis, 3);
    expect(await damageOf(verifyState(source))).toContain('name different chain ids');
    expect(await damageOf(replayChain({ source, target: emptyStore() }))).toContain(
      'block 0 is not that of its genesis',
    );
    await source.close();
    const store = kept(openStore({ path: join(folder, 'chain'), durable: true }));
    const opening = openTestLedger({ store, genesis: undefined });
    expect(await damageOf(opening)).toContain('name different chain ids');
  });

  test('error: an empty store', async () => {
    const source = emptyStore();
    expect(await damageOf(verifyState(source))).toContain('there is none');
    expect(await damageOf(replayChain({ source, target: emptyStore() }))).toContain('there is none');
  });

  test('error: comparing with a chain that lags behind', async () => {
    const source = await busyChain();
    const target = emptyStore();
    await replayChain({ source, target, lastBlock: 40 });
    const missing = await compareChains(source, target);
    const surplus = await compareChains(target, source);
    expect(missing).toMatchObject({ right: surplus?.left, left: surplus?.right, table: surplus?.table });
  });
});
