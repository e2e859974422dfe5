import { useState } from 'preact/hooks';
import { operationsOf, type Place } from '../../client/operations.ts';
import type { Hex } from '../../client/reading.ts';
import { POLL_MS } from '../../limits.ts';
import { facts, words } from '../../live/chain-state.ts';
import { OlderPager } from '../../parts/older-pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { TransactionList } from '../../parts/transaction-list.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { capitalized } from '../../text/vocabulary.ts';

/** Lists the transactions that involve an address, newest first. */
export function Operations({ address }: { readonly address: Hex }) {
  const { transaction, transactions } = words.value;
  /** Starts of the previous pages. */
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const before = places.at(-1);
  // The newest page moves; the others do not.
  const loaded = useLoaded(
    `${address} ${JSON.stringify(before)}`,
    () => operationsOf(address, before),
    before === undefined ? POLL_MS : undefined,
  );
  return (
    <Show loaded={loaded} what={`the ${transactions}`}>
      {({ operations, next }) =>
        operations.length === 0 ? (
          <Empty>
            No {transaction} {facts.value?.fork === undefined ? '' : 'of this chain '}involves it.
          </Empty>
        ) : (
          <>
            <TransactionList
              caption={`${capitalized(transactions)}, newest first`}
              transactions={operations}
              of={address}
            />
            <OlderPager
              onNewer={places.length === 0 ? undefined : () => setPlaces(places.slice(0, -1))}
              onOlder={next === undefined ? undefined : () => setPlaces([...places, next])}
            />
          </>
        )
      }
    </Show>
  );
}
