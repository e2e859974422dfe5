import { useState } from 'preact/hooks';
import { type Slot, storageOf } from '../../client/contracts.ts';
import type { Hex } from '../../client/reading.ts';
import { OlderPager } from '../../parts/older-pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

const COLUMNS: readonly Column<Slot>[] = [
  { title: 'Slot', cell: ({ slot }) => <span class="mono wrapped">{slotText(slot)}</span> },
  { title: 'Value', cell: ({ value }) => <span class="mono wrapped">{value}</span> },
];

/** Lists the storage of a contract by position. */
export function Storage({ address }: { readonly address: Hex }) {
  /** Starts of the previous pages. */
  const [places, setPlaces] = useState<readonly Hex[]>([]);
  const place = places.at(-1);
  const loaded = useLoaded(`storage ${address} ${place}`, () => storageOf(address, place));
  return (
    <Show loaded={loaded} what="the storage">
      {({ slots, next }) => (
        <>
          {slots.length === 0 ? (
            <Empty>It stores nothing.</Empty>
          ) : (
            <Table
              caption="Storage of the contract"
              columns={COLUMNS}
              rows={slots}
              keyOf={({ slot }) => slot}
            />
          )}
          <OlderPager
            words={['Before', 'Further']}
            onNewer={places.length === 0 ? undefined : () => setPlaces(places.slice(0, -1))}
            onOlder={next === undefined ? undefined : () => setPlaces([...places, next])}
          />
        </>
      )}
    </Show>
  );
}

/** A position, as a number where it is a small one: others are hashes. */
function slotText(slot: Hex): string {
  const number = BigInt(slot);
  return number < 1_000_000n ? String(number) : slot;
}
