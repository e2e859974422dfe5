import { useState } from 'preact/hooks';
import { headNumber } from '../../client/blocks.ts';
import { eventsOf } from '../../client/contracts.ts';
import type { Hex } from '../../client/reading.ts';
import { useContracts } from '../../contracts/known-contracts.ts';
import { PAGE_ROWS } from '../../limits.ts';
import { OlderPager } from '../../parts/older-pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { LogItem } from '../transaction/logs.tsx';

/** What a contract has logged, the newest first. */
export function Events({ address }: { readonly address: Hex }) {
  /** The newest blocks of the pages before this one. */
  const [places, setPlaces] = useState<readonly number[]>([]);
  const place = places.at(-1);
  const loaded = useLoaded(`events ${address} ${place}`, async () =>
    eventsOf(address, place ?? (await headNumber()), PAGE_ROWS),
  );
  const contracts = useContracts([address]);
  return (
    <Show loaded={loaded} what="the events">
      {({ logs, next }) => (
        <>
          {logs.length === 0 && <Empty>It has logged nothing.</Empty>}
          <ol class="logs">
            {logs.map((log) => (
              <LogItem
                key={`${log.transactionHash} ${log.index}`}
                log={log}
                contract={contracts.get(address)}
                isPlaced
              />
            ))}
          </ol>
          <OlderPager
            onNewer={places.length === 0 ? undefined : () => setPlaces(places.slice(0, -1))}
            onOlder={next === undefined ? undefined : () => setPlaces([...places, next])}
          />
        </>
      )}
    </Show>
  );
}
