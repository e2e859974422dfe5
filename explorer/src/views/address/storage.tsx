import { useState } from 'preact/hooks';
import { type Slot, storageOf } from '../../client/contracts.ts';
import { originsOf } from '../../client/origins.ts';
import { type Hex, textOf } from '../../client/reading.ts';
import { call } from '../../client/rpc.ts';
import { facts } from '../../live/chain-state.ts';
import { OlderPager } from '../../parts/older-pager.tsx';
import { OriginMark, sourceOf } from '../../parts/origin.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { ActionForm, FieldError, type Values } from '../../tools/action-form.tsx';

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
  const fork = facts.value?.fork;
  return (
    <>
      {fork !== undefined && <SlotForm address={address} />}
      <Show loaded={loaded} what="the storage">
        {({ slots, next }) => (
          <>
            {fork !== undefined && (
              <p class="quiet wrapped">
                The slots that this chain has written; all others are those of {sourceOf(fork)}.
              </p>
            )}
            {slots.length === 0 ? (
              <Empty>{fork === undefined ? 'It stores nothing.' : 'This chain has written none.'}</Empty>
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
    </>
  );
}

/** Reads one slot: no remote chain lists them. */
function SlotForm({ address }: { readonly address: Hex }) {
  const run = async ({ slot = '' }: Values) => {
    const key = slotOf(slot);
    const [value, { storage }] = await Promise.all([
      call('eth_getStorageAt', address, key, 'latest'),
      originsOf({ address, storageKeys: [key] }),
    ]);
    return (
      <p>
        <span class="mono wrapped">{textOf(value)}</span>
        <OriginMark origin={storage[0]} />
      </p>
    );
  };
  const hint = 'a number, or 0x and up to 64 digits';
  return (
    <ActionForm
      fields={[{ name: 'slot', label: 'Slot', hint, input: { kind: 'line' } }]}
      action="Read"
      label="a slot"
      run={run}
    />
  );
}

/** Reads a position. @throws FieldError */
function slotOf(text: string): Hex {
  if (!/^(\d{1,77}|0x[0-9a-f]{1,64})$/i.test(text.trim())) throw new FieldError('slot', 'it is no position');
  return `0x${BigInt(text.trim()).toString(16).padStart(64, '0')}`;
}

/** A position, as a number where it is a small one: others are hashes. */
function slotText(slot: Hex): string {
  const number = BigInt(slot);
  return number < 1_000_000n ? String(number) : slot;
}
