import { useState } from 'preact/hooks';
import { showName } from '../../abi/index.ts';
import { type ListedOperation, operationsOf, type Place } from '../../client/operations.ts';
import type { Hex } from '../../client/reading.ts';
import { useContracts } from '../../contracts/known-contracts.ts';
import { POLL_MS } from '../../limits.ts';
import { facts } from '../../live/chain-state.ts';
import { Age } from '../../parts/age.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Badge } from '../../parts/layout.tsx';
import { AddressLink, BlockLink, HashLink } from '../../parts/links.tsx';
import { OlderPager } from '../../parts/older-pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';

/** Lists the operations that involve an address, newest first. */
export function Operations({ address }: { readonly address: Hex }) {
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
    <Show loaded={loaded} what="the operations">
      {({ operations, next }) =>
        operations.length === 0 ? (
          <Empty>
            No operation {facts.value?.fork === undefined ? '' : 'of this chain '}has to do with it.
          </Empty>
        ) : (
          <>
            <OperationRows address={address} operations={operations} />
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

function OperationRows({
  address,
  operations,
}: {
  readonly address: Hex;
  readonly operations: readonly ListedOperation[];
}) {
  const contracts = useContracts(
    operations.flatMap(({ to, selector }) => (to === undefined || selector === undefined ? [] : [to])),
  );
  const columns: readonly Column<ListedOperation>[] = [
    { title: 'Operation', cell: ({ hash }) => <HashLink hash={hash} /> },
    {
      title: 'Block',
      cell: ({ blockNumber }) => (blockNumber === undefined ? 'pending' : <BlockLink number={blockNumber} />),
      isNumber: true,
    },
    {
      title: 'Age',
      cell: ({ timestamp }) => timestamp !== undefined && <Age timestamp={timestamp} />,
      hidden: 'narrow',
    },
    {
      title: 'What',
      cell: ({ type, to, selector, isSuccess }) => {
        const called = to && contracts.get(to)?.abi.functions.find((known) => known.selector === selector);
        return (
          <>
            {called === undefined ? (
              type.replaceAll('_', ' ')
            ) : (
              <span class="mono">{showName(called.name)}</span>
            )}{' '}
            {isSuccess === false && <Badge tone="bad">failed</Badge>}
          </>
        );
      },
    },
    {
      title: 'With',
      cell: ({ from, to, contract }) => {
        const isSender = from === address;
        const other = isSender ? (to ?? contract) : from;
        return (
          <>
            <span class="quiet">{isSender ? 'to ' : 'from '}</span>
            {other === undefined ? <span class="quiet">nobody</span> : <AddressLink address={other} />}
          </>
        );
      },
      hidden: 'phone',
    },
    {
      title: 'Amount',
      cell: ({ value }) => <Amount amount={value} isShort />,
      isNumber: true,
      hidden: 'phone',
    },
  ];
  return (
    <Table
      caption="Operations, newest first"
      columns={columns}
      rows={operations}
      keyOf={({ hash }) => hash}
    />
  );
}
