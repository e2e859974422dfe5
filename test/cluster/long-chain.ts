import { clockOf, type Genesis, Ledger } from '../../src/ledger/index.ts';
import { dataFolderAt } from '../../src/node/data-folder.ts';
import { loadKeys } from '../../src/node/keys/key-file.ts';
import { openStore } from '../../src/store/index.ts';
import { systemTime } from '../../src/time/time.ts';

/** Blocks that are made in one go. */
const BLOCKS_AT_ONCE = 1_000;

/** Makes so many blocks, a second apart, in a folder that has a genesis old enough for them and all keys. */
export async function makeBlocks(folder: string, genesis: Genesis, count: number): Promise<void> {
  const place = dataFolderAt(folder);
  const store = openStore({ path: place.store, durable: false });
  try {
    const keys = loadKeys(place, undefined, genesis).producers.map((key) => key.keys);
    const clock = clockOf(systemTime);
    const ledger = await Ledger.open({ store, genesis, clock, keys, mining: 'manual' });
    while (ledger.blocks.head().number < count) {
      const most = Math.min(BLOCKS_AT_ONCE, count - ledger.blocks.head().number);
      ledger.miner.mineSeveral(most, Number.POSITIVE_INFINITY, 1);
    }
  } finally {
    await store.close();
  }
}
