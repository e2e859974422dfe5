import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keccak256, toAddress, toHash } from '../protocol/index.ts';
import { openStore, type StateEntry, type Store, stateKey } from '../store/index.ts';
import { blockHashKey, historyKey } from './fork-tables.ts';
import { commitEntries, encodeForkPoint, ForkPack, type ForkPoint, writePack } from './index.ts';

const NOTHING = new Uint8Array();
const HASH = toHash(keccak256(NOTHING));
const POINT: ForkPoint = {
  ...{
    chainId: 1n,
    number: 21_000_000,
    hash: HASH,
    parentHash: HASH,
    timestamp: 1_700_000_000,
    stateRoot: HASH,
  },
  ...{ gasLimit: 30_000_000n, gasUsed: 1n, baseFee: 7n, nextBaseFee: 8n, excessBlobGas: 5n },
  ...{ blobGasUsed: 6n, prevRandao: HASH, miner: toAddress(new Uint8Array(20)), hardfork: 'osaka' },
  hasNewerRules: false,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-pack-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs an action with the store of a fork with entries. */
async function withStore<T>(
  entries: readonly StateEntry[],
  action: (store: Store) => Promise<T>,
): Promise<T> {
  const store = openStore({ durable: false, undoBlocks: 0 });
  try {
    store.commitBlock({
      ...{
        number: 0,
        block: NOTHING,
        transactions: [],
        receipts: [],
        operationHashes: [],
        logs: [],
        payers: [],
      },
      ...{ state: [], accumulator: NOTHING, genesis: encodeForkPoint(POINT) },
    });
    commitEntries(
      store,
      entries.map(({ key, value }) => ({ key, before: undefined, after: value })),
    );
    return await action(store);
  } finally {
    await store.close();
  }
}

const goOn = { stop: new AbortController().signal, onEntries: () => undefined };

function pack(entries: readonly StateEntry[], file: string) {
  return withStore(entries, (store) => writePack(store, file, goOn));
}

function read(file: string): StateEntry[] {
  const opened = new ForkPack(file);
  try {
    return [...opened.entries()].map(({ key, value }) => ({
      key: Buffer.from(key),
      value: Buffer.from(value),
    }));
  } finally {
    opened.close();
  }
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyKey = fc.oneof(
  bytes(20).map((address) => stateKey.account(toAddress(address))),
  fc.tuple(bytes(20), bytes(32)).map(([address, slot]) => stateKey.storage(toAddress(address), toHash(slot))),
  bytes(32).map((hash) => stateKey.code(toHash(hash))),
  fc.nat().map(blockHashKey),
  fc.string().map(historyKey),
);
const anyEntry = fc.record({ key: anyKey, value: fc.uint8Array({ maxLength: 200 }) });
const anyEntries = fc.uniqueArray(anyEntry, {
  selector: ({ key }) => Buffer.from(key).toString('hex'),
  maxLength: 30,
});

/** A few entries of every kind. */
const SOME: readonly StateEntry[] = [
  { key: stateKey.account(toAddress(new Uint8Array(20))), value: Uint8Array.of(1, 2, 3) },
  { key: stateKey.storage(toAddress(new Uint8Array(20)), HASH), value: NOTHING },
  { key: stateKey.code(HASH), value: new Uint8Array(40) },
  { key: blockHashKey(7), value: HASH },
  { key: historyKey('a'), value: Buffer.from('{}') },
];

test('default: a pack has the fork point and the entries, in the order of their keys', async () => {
  await fc.assert(
    fc.asyncProperty(anyEntries, async (entries) => {
      const file = join(folder, 'any');
      const { counts, bytes: written } = await pack(entries, file);
      const sorted = entries.toSorted((left, right) => Buffer.compare(left.key, right.key));
      expect(read(file)).toEqual(
        sorted.map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) })),
      );
      const opened = new ForkPack(file);
      opened.close();
      expect(opened).toMatchObject({ point: POINT, counts, bytes: written });
      expect(readFileSync(file)).toHaveLength(written);
    }),
    { numRuns: 40 },
  );
});

test('behavior: entries of several chunks', async () => {
  const entries = Array.from({ length: 40 }, (_, index) => ({
    key: historyKey(String(index)),
    value: new Uint8Array(300_000).fill(index),
  }));
  const file = join(folder, 'long');
  await pack(entries, file);
  expect(read(file)).toHaveLength(40);
});

test('error: each changed byte, each missing end, and a longer file are refused', async () => {
  const file = join(folder, 'some');
  await pack(SOME, file);
  const whole = readFileSync(file);
  const changed = join(folder, 'changed');
  const refuse = (content: Uint8Array): void => {
    writeFileSync(changed, content);
    expect(() => new ForkPack(changed)).toThrow(/ is no pack of a fork| is damaged, | has format /);
  };
  for (let position = 0; position < whole.length; position += 1) {
    const copy = Buffer.from(whole);
    copy[position] = (copy[position] ?? 0) ^ (1 << (position % 8));
    refuse(copy);
    refuse(whole.subarray(0, position));
  }
  refuse(Buffer.concat([whole, Buffer.alloc(1)]));
  refuse(Buffer.concat([whole, whole]));
});

test('error: random damage is refused', async () => {
  const file = join(folder, 'hurt');
  await pack(SOME, file);
  const whole = readFileSync(file);
  const position = fc.nat({ max: whole.length - 1 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(position, fc.integer({ min: 1, max: 255 })), { minLength: 1 }),
      (changes) => {
        const copy = Buffer.from(whole);
        for (const [at, mask] of changes) copy[at] = (copy[at] ?? 0) ^ mask;
        if (copy.equals(whole)) return;
        writeFileSync(file, copy);
        expect(() => new ForkPack(file)).toThrow(/ is no pack of a fork| is damaged, | has format /);
      },
    ),
  );
});

test('error: another format, and a stopped pack, which leaves no file', async () => {
  const file = join(folder, 'other');
  await pack(SOME, file);
  const other = readFileSync(file);
  other[14] = 9;
  writeFileSync(file, other);
  expect(() => new ForkPack(file)).toThrow(
    'has format 9, and this version of ledgerd reads packs of format 1',
  );
  const before = readdirSync(folder).sort();
  const stop = AbortSignal.abort(new RangeError('stopped'));
  const stopped = withStore(SOME, (store) => writePack(store, join(folder, 'none'), { ...goOn, stop }));
  await expect(stopped).rejects.toThrow('stopped');
  expect(readdirSync(folder).sort()).toEqual(before);
});
