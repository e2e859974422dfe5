import { useState } from 'preact/hooks';
import { blockByNumber } from '../client/blocks.ts';
import { PAGE_ROWS, POLL_MS } from '../limits.ts';
import { liveBlocks } from '../live/feed.ts';
import { BlockList } from '../parts/block-list.tsx';
import { PageTitle, Section } from '../parts/layout.tsx';
import { OlderPager } from '../parts/older-pager.tsx';
import { Loading, Show } from '../parts/states.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

/** Lists the blocks of the chain, the newest first. */
export function BlocksView() {
  return (
    <>
      <PageTitle title="Blocks" />
      <Section title="Blocks" note="newest first">
        {liveBlocks.value[0] === undefined ? <Loading what="the blocks" /> : <BlockPages />}
      </Section>
    </>
  );
}

function BlockPages() {
  /** The newest block of the page; undefined for the first page, which moves. */
  const [chosen, setChosen] = useState<number>();
  const head = liveBlocks.value[0]?.header.number ?? 0;
  const first = Math.min(chosen ?? head, head);
  const last = Math.max(0, first - PAGE_ROWS + 1);
  const loaded = useLoaded(
    chosen === undefined ? 'newest blocks' : `blocks ${first}`,
    async () => {
      const newest = chosen ?? (await blockByNumber('latest'))?.number ?? 0;
      const count = newest - Math.max(0, newest - PAGE_ROWS + 1) + 1;
      const found = await Promise.all(
        Array.from({ length: count }, (_, index) => blockByNumber(newest - index)),
      );
      return found.flatMap((block) =>
        block === undefined ? [] : [{ header: block, operations: block.hashes.length }],
      );
    },
    chosen === undefined ? POLL_MS : undefined,
  );
  return (
    <>
      <Show loaded={loaded} what="the blocks">
        {(blocks) => <BlockList caption="Blocks, newest first" blocks={blocks} />}
      </Show>
      <OlderPager
        onNewer={chosen === undefined ? undefined : () => setChosen(newerThan(first, head))}
        onOlder={last === 0 ? undefined : () => setChosen(last - 1)}
      />
    </>
  );
}

/** Returns the start of the page before; undefined for the newest page. */
function newerThan(first: number, head: number): number | undefined {
  return first + PAGE_ROWS >= head ? undefined : first + PAGE_ROWS;
}
