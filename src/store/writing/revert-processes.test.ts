import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { auditPages } from '../file/page-audit.testing.ts';
import type { BlockCommit, Store, StoreReader } from '../index.ts';
import { META_KEYS, openStore } from '../index.ts';
import { TestFolders } from '../store.testing.ts';
import { loadBlock, StoreProcess } from '../store-process.testing.ts';

const folders = new TestFolders();
const processes: StoreProcess[] = [];
afterEach(async () => {
  for (const started of processes.splice(0)) await started.kill();
  await folders.clean();
});

/** Commits blocks, and takes some of them back again and again. */
const BACK_AND_FORTH = `
  const store = openStore({ path: words[0], durable: words[1] === 'durable' });
  for (let round = Number(words[2]); ; round += 1) {
    const number = (store.head() ?? -1) + 1;
    if (number > 25) {
      const to = number - 2 - (round * 7) % 20;
      const accumulator = () => loadBlock(to).accumulator;
      store.revertBlocks({ to, logsOf: () => [], onChange: () => undefined, accumulator });
    } else {
      const block = loadBlock(number);
      const state = block.state.map(({ key, after }) => ({ key, before: store.state(key), after }));
      store.commitBlock({ ...block, state });
    }
    say([store.head(), store.reorgCount()]);
    await yieldToEventLoop();
  }`;

function contentOf(store: StoreReader): string[] {
  const reorgCount = Buffer.from(META_KEYS.reorgCount);
  return [...store.tables()]
    .filter(({ table, key }) => table !== 'meta' || Buffer.compare(key, reorgCount) !== 0)
    .map(
      ({ table, key, value }) => `${table} ${Buffer.from(key).toString('hex')} ${value.length} ${value[0]}`,
    );
}

function committed(store: Store, number: number): BlockCommit {
  const block = loadBlock(number);
  const state = block.state.map(({ key, after }) => ({ key, before: store.state(key), after }));
  return { ...block, state };
}

test.each(['durable', 'not durable'])('behavior: killed between blocks and reversions, %s', async (kind) => {
  const path = folders.folder();
  let [head, reorgCount] = [-1, 0];
  for (let life = 1; life <= 8; life += 1) {
    const started = new StoreProcess(BACK_AND_FORTH, [path, kind, String(life)]);
    processes.push(started);
    for (let heard = 0; heard < 20 + 3 * life; heard += 1)
      [head, reorgCount] = await started.heard<[number, number]>();
    await started.kill();
    const store = folders.open({ path });
    // It went on until it was killed; what it had told of is there.
    expect(store.reorgCount()).toBeGreaterThanOrEqual(reorgCount);
    if (store.reorgCount() === reorgCount) expect(store.head()).toBeGreaterThanOrEqual(head);
    const model = openStore({ durable: false });
    for (let number = 0; number <= (store.head() ?? -1); number += 1) {
      model.commitBlock(committed(model, number));
    }
    expect(contentOf(store)).toEqual(contentOf(model));
    await model.close();
    await store.close();
    expect(auditPages(join(path, 'ledger.mdb')).conflicts).toEqual([]);
  }
});
