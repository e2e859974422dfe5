import { useState } from 'preact/hooks';
import { blockByNumber, headNumber } from '../client/blocks.ts';
import { type ListedOperation, listedOf } from '../client/operations.ts';
import type { Hex } from '../client/reading.ts';
import { PAGE_ROWS, POLL_MS, SEARCHED_BLOCKS_MAX } from '../limits.ts';
import { words } from '../live/chain-state.ts';
import { PageTitle, Section } from '../parts/layout.tsx';
import { OlderPager } from '../parts/older-pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { TransactionList } from '../parts/transaction-list.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { capitalized } from '../text/vocabulary.ts';

/** A point of the chain from which older transactions are read. */
interface Start {
  readonly block: number;
  /** Transactions of the block that are left, counted from its first; undefined for all. */
  readonly count: number | undefined;
}

/** Lists the transactions of the chain, the newest first. */
export function TransactionsView() {
  const { transactions } = words.value;
  const title = capitalized(transactions);
  /** Starts of the previous pages. */
  const [starts, setStarts] = useState<readonly Start[]>([]);
  const start = starts.at(-1);
  const loaded = useLoaded(
    `transactions ${JSON.stringify(start)}`,
    () => pageFrom(start),
    start === undefined ? POLL_MS : undefined,
  );
  return (
    <>
      <PageTitle title={title} />
      <Section title={title} note="newest first">
        <Show loaded={loaded} what={`the ${transactions}`}>
          {({ listed, next }) => (
            <>
              {listed.length === 0 ? (
                <Empty>None{next === undefined ? '' : ' in the last blocks'}.</Empty>
              ) : (
                <TransactionList caption={`${title}, newest first`} transactions={listed} />
              )}
              <OlderPager
                onNewer={starts.length === 0 ? undefined : () => setStarts(starts.slice(0, -1))}
                onOlder={next === undefined ? undefined : () => setStarts([...starts, next])}
              />
            </>
          )}
        </Show>
      </Section>
    </>
  );
}

/** Reads a page, through a bounded number of blocks. */
async function pageFrom(
  start: Start | undefined,
): Promise<{ readonly listed: readonly ListedOperation[]; readonly next: Start | undefined }> {
  const hashes: Hex[] = [];
  let { block, count } = start ?? { block: await headNumber(), count: undefined };
  const last = Math.max(0, block - SEARCHED_BLOCKS_MAX + 1);
  while (block >= last && hashes.length < PAGE_ROWS) {
    const numbers = Array.from(
      { length: Math.min(PAGE_ROWS, block - last + 1) },
      (_, index) => block - index,
    );
    for (const found of await Promise.all(numbers.map(blockByNumber))) {
      const left = (found?.hashes ?? []).slice(0, count);
      const taken = left.slice(-Math.max(0, PAGE_ROWS - hashes.length)).toReversed();
      if (hashes.length === PAGE_ROWS) break;
      hashes.push(...taken);
      count = left.length > taken.length ? left.length - taken.length : undefined;
      if (count !== undefined) break;
      block -= 1;
    }
  }
  const found = await Promise.all(hashes.map(listedOf));
  return { listed: found.filter((one) => one !== undefined), next: block < 0 ? undefined : { block, count } };
}
