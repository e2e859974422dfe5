import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BlockRejectedError, type Ledger, type Patch, serializedBlock } from '../../ledger/index.ts';
import { accountAt, addressAt, keyOf, openTestLedger, sign, transfer } from '../../ledger/ledger.testing.ts';
import { hexToBytes, toAddress, toHash } from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { chainGenesis, contentOf, PRODUCER_KEY, TestFolders, testJob } from '../chain.testing.ts';
import { backUpFolder } from '../maintenance/backup.ts';
import { rollBack } from '../maintenance/rollback.ts';
import { verifyChain, verifyNewestState } from '../maintenance/verify.ts';
import { archiveOf, type ExportChanges, exportTo, importFrom } from './archive.testing.ts';
import type { ImportOptions } from './import.ts';

const ANYWHERE = toAddress(hexToBytes('11'.repeat(20)));
const ALICE_KEY = keyOf('alice');

const kept = new TestFolders();
const folders = new TestFolders();
/** A chain of 12 blocks with patches between them, and one with other patches at the end. */
let chain: string;
let other: string;
let whole: string;

beforeAll(async () => {
  chain = kept.folder();
  await make(chain, 12, 7n);
  other = kept.copyOf(chain);
  await extend(chain, (ledger) =>
    patch(ledger, { type: 'balances', balances: [{ address: ANYWHERE, balance: 1n }] }),
  );
  await extend(other, (ledger) =>
    patch(ledger, { type: 'balances', balances: [{ address: ANYWHERE, balance: 2n }] }),
  );
  whole = kept.unused('whole');
  await exported(whole);
});
afterAll(() => kept.clean());
afterEach(() => folders.clean());

const patch = (ledger: Ledger, change: Patch): void => ledger.chain.patch(() => change);

/** After each block there are as many patches as its number has left over by three; and one after block 0. */
async function make(dataDir: string, blocks: number, value: bigint): Promise<void> {
  await extend(dataDir, (ledger) => {
    patch(ledger, { type: 'code', address: ANYWHERE, code: hexToBytes('4460005500') });
    for (let number = 1; number <= blocks; number += 1) {
      ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), value)], [ALICE_KEY]));
      const changes: readonly Patch[] = [
        {
          type: 'balances',
          balances: [
            { address: addressAt(0), balance: ledger.parameters.inWei(1_000_000n * BigInt(number)) },
          ],
        },
        { type: 'rand', rand: toHash(new Uint8Array(32).fill(number)) },
      ];
      for (const change of changes.slice(0, number % 3)) patch(ledger, change);
    }
    patch(ledger, { type: 'operationCount', address: addressAt(0), count: 99n });
  });
}

async function extend(dataDir: string, change: (ledger: Ledger) => void): Promise<void> {
  const store = storeOf(dataDir);
  const options = { store, genesis: chainGenesis(), keys: [PRODUCER_KEY] };
  const { ledger } = await openTestLedger(options);
  change(ledger);
  await store.close();
}

const storeOf = (dataDir: string): Store => openStore({ path: join(dataDir, 'ledger'), durable: false });

const exported = (file: string, changes: ExportChanges = {}, work = testJob()) =>
  exportTo(file, { dataDir: chain, ...changes }, work);
const imported = (dataDir: string, file = whole, changes: Partial<ImportOptions> = {}, work = testJob()) =>
  importFrom(file, { dataDir, ...changes }, work);

describe('an archive with patches', () => {
  test('default: every table is the same, and both verify', async () => {
    const dataDir = folders.folder();
    expect(await imported(dataDir)).toEqual({ imported: 12, known: 0, head: 12, interrupted: false });
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
    for (const folder of [chain, dataDir]) {
      expect((await verifyChain(folder, testJob())).head).toBe(12);
      expect(await verifyNewestState(folder, testJob())).toMatchObject({ head: 12, patches: 2 });
    }
    expect(await imported(dataDir)).toEqual({ imported: 0, known: 12, head: 12, interrupted: false });
  });

  test('behavior: cut off anywhere, it is continued, and imported as far as it is whole', async () => {
    const dataDir = folders.folder();
    const file = folders.unused('archive');
    for (let last = 0; last <= 12; last += 1) await exported(file, { to: last, resume: true });
    const bytes = readFileSync(file);
    for (let length = 0; length < bytes.length; length += 97) {
      const cut = folders.unused('cut');
      writeFileSync(cut, bytes.subarray(0, length));
      await expect(imported(dataDir, cut)).rejects.toThrow(/cut off|not an archive/);
      await exported(cut, { resume: true });
      const copy = folders.folder();
      if (length % 5 === 0) {
        await imported(copy, cut);
        expect(await contentOf(copy)).toEqual(await contentOf(chain));
      }
    }
    await imported(dataDir, file);
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
  });

  test('behavior: ranges follow each other, and a last block brings its patches', async () => {
    const dataDir = folders.folder();
    const [first, second] = [folders.unused('first'), folders.unused('second')];
    await exported(first, { to: 5 });
    await exported(second, { from: 6 });
    await imported(dataDir, first);
    const store = storeOf(dataDir);
    expect([store.head(), store.patchCount(5)]).toEqual([5, 2]);
    await store.close();
    await imported(dataDir, second);
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
    const cut = folders.folder();
    await imported(cut, whole, { to: 5 });
    await imported(cut, whole);
    expect(await contentOf(cut)).toEqual(await contentOf(chain));
  });

  test('error: an archive with other patches, on either side', async () => {
    const dataDir = folders.copyOf(other);
    await expect(imported(dataDir)).rejects.toThrow(
      "patch 2 after block 12 of the archive is not that of the chain: they differ from there on; the chain's",
    );
    expect(await contentOf(dataDir)).toEqual(await contentOf(other));
    const file = folders.unused('archive');
    writeFileSync(file, readFileSync(whole));
    await expect(exported(file, { dataDir: other, resume: true })).rejects.toThrow(
      'patch 2 after block 12 of the archive is not that of the chain',
    );
  });

  test('error: an archive that lacks the patches before a block', async () => {
    const store = storeOf(chain);
    const [genesis, block] = [store.genesis(), store.block(0)];
    const patches = [...store.patchesAfter(0)].length;
    await store.close();
    expect([block === undefined, patches]).toEqual([false, 1]);
    const blocks = await blocksOf(chain);
    const file = folders.unused('archive');
    writeFileSync(
      file,
      await archiveOf({ chain: 'test', genesis: genesis ?? new Uint8Array() }, 1, [blocks]),
    );
    // The chain itself has the patch; another one has not, and so other blocks.
    await expect(imported(folders.copyOf(chain), file)).resolves.toMatchObject({ known: 12 });
    await expect(imported(folders.folder(), file)).rejects.toThrow(BlockRejectedError);
    const patched = folders.folder();
    await imported(patched, whole, { to: 4 });
    await expect(imported(patched, file)).rejects.toThrow(
      "the chain has 1 patches after block 4, and the archive has 0; the chain's head is block 4",
    );
  });
});

describe('maintenance of a chain with patches', () => {
  test('default: a backup verifies', async () => {
    const target = folders.unused('backup');
    await backUpFolder({ dataDir: chain, to: target, withKeys: false }, testJob());
    expect((await verifyChain(target, testJob())).head).toBe(12);
  });

  test.each([
    ['by what was overwritten', true],
    ['by a replay', false],
  ])('behavior: reverted %s, a block has its original state', async (_, keepsUndo) => {
    const dataDir = folders.copyOf(chain);
    if (!keepsUndo) await openStore({ path: join(dataDir, 'ledger'), durable: false, undoBlocks: 0 }).close();
    await rollBack({ dataDir, to: 5, discard: true }, testJob());
    expect((await verifyChain(dataDir, testJob())).head).toBe(5);
    const store = storeOf(dataDir);
    expect([store.patchCount(5), store.patchCount(4)]).toEqual([0, 1]);
    await store.close();
  });
});

async function blocksOf(dataDir: string): Promise<Uint8Array[]> {
  const store = storeOf(dataDir);
  const blocks = Array.from(
    { length: 12 },
    (_, index) => serializedBlock(store, index + 1) ?? new Uint8Array(),
  );
  await store.close();
  return blocks;
}
