import { useState } from 'preact/hooks';
import { headNumber } from '../../client/blocks.ts';
import { type EventPlace, eventsOf } from '../../client/contracts.ts';
import type { Hex } from '../../client/reading.ts';
import { PAGE_ROWS } from '../../limits.ts';
import { OlderPager } from '../../parts/older-pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { LogList } from '../transaction/logs.tsx';

/** A page of events from one position of the chain. */
interface EventsShown {
  /** Undefined for the newest events. */
  readonly from: EventPlace | undefined;
  readonly page: number;
}

/** Lists the event logs of a contract, newest first. */
export function Events({ address }: { readonly address: Hex }) {
  /** The pages before this one, and this one. */
  const [pages, setPages] = useState<readonly EventsShown[]>([]);
  const { from, page } = pages.at(-1) ?? { from: undefined, page: 0 };
  const loaded = useLoaded(`events ${address} ${JSON.stringify(from)}`, async () =>
    eventsOf(address, from ?? { block: await headNumber() }, PAGE_ROWS),
  );
  const back = pages.length === 0 ? undefined : () => setPages(pages.slice(0, -1));
  return (
    <Show loaded={loaded} what="the events">
      {({ logs, next }) => {
        const end = (page + 1) * PAGE_ROWS;
        const older = logs.length > end ? { from, page: page + 1 } : next && { from: next, page: 0 };
        return (
          <>
            {logs.length === 0 && <Empty>It has logged nothing.</Empty>}
            <LogList logs={logs.slice(end - PAGE_ROWS, end)} isPlaced />
            <OlderPager onNewer={back} onOlder={older && (() => setPages([...pages, older]))} />
          </>
        );
      }}
    </Show>
  );
}
