import { useState } from 'preact/hooks';
import type { Hex } from '../../client/reading.ts';
import {
  balancesOf,
  type Holding,
  holdersOf,
  type LogPlace,
  type PlacedTransfer,
  type Token,
  transfersOf,
} from '../../client/tokens.ts';
import { POLL_MS } from '../../limits.ts';
import { Age } from '../../parts/age.tsx';
import { Fact } from '../../parts/layout.tsx';
import { AddressLink, HashLink } from '../../parts/links.tsx';
import { OlderPager } from '../../parts/older-pager.tsx';
import { Paged } from '../../parts/pager.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { TokenAmount } from '../../parts/token-amount.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { fixedPoint, grouped } from '../../text/numbers.ts';
import { TRANSFER_COLUMNS } from '../transaction/token-transfers.tsx';

/** States what a token says of itself. */
export function TokenFacts({ token }: { readonly token: Token }) {
  const { standard, name, symbol, decimals, totalSupply } = token;
  return (
    <>
      <Fact name="Token">
        {standard.replace('ERC', 'ERC-')}
        <span class="quiet wrapped"> {[name, symbol].filter((text) => text !== undefined).join(' · ')}</span>
      </Fact>
      {decimals !== undefined && <Fact name="Decimals">{decimals}</Fact>}
      {totalSupply !== undefined && (
        <Fact name="Total supply">
          {decimals === undefined ? grouped(totalSupply) : fixedPoint(totalSupply, decimals)}
        </Fact>
      )}
    </>
  );
}

const COLUMNS: readonly Column<PlacedTransfer>[] = [
  { title: 'Hash', cell: ({ hash }) => <HashLink hash={hash} /> },
  { title: 'Age', cell: ({ timestamp }) => <Age timestamp={timestamp} />, isExtra: true },
  ...TRANSFER_COLUMNS,
];

/** Lists the transfers of a token, or those from and to an address, newest first. */
export function TransferHistory({
  search,
}: {
  readonly search: { readonly token: Hex } | { readonly address: Hex };
}) {
  /** Starts of the previous pages. */
  const [places, setPlaces] = useState<readonly LogPlace[]>([]);
  const before = places.at(-1);
  const loaded = useLoaded(
    `transfers ${JSON.stringify([search, before])}`,
    () => transfersOf(search, before),
    before === undefined ? POLL_MS : undefined,
  );
  return (
    <Show loaded={loaded} what="the token transfers">
      {({ transfers, next }) => (
        <>
          {transfers.length === 0 ? (
            <Empty>No token transfer.</Empty>
          ) : (
            <Table
              caption="Token transfers, newest first"
              columns={COLUMNS}
              rows={transfers}
              keyOf={({ key }) => key}
            />
          )}
          <OlderPager
            onNewer={places.length === 0 ? undefined : () => setPlaces(places.slice(0, -1))}
            onOlder={next === undefined ? undefined : () => setPlaces([...places, next])}
          />
        </>
      )}
    </Show>
  );
}

/** Lists the tokens that an address holds. */
export function Balances({ address }: { readonly address: Hex }) {
  return (
    <Holdings
      what="balances of tokens"
      load={() => balancesOf(address)}
      address={address}
      title="Contract"
      tokenOf={({ party }) => party}
    />
  );
}

/** Lists the addresses that hold a token. */
export function Holders({ token }: { readonly token: Hex }) {
  return (
    <Holdings
      what="holders of the token"
      load={() => holdersOf(token)}
      address={token}
      title="Holder"
      tokenOf={() => token}
    />
  );
}

function Holdings({
  what,
  load,
  address,
  title,
  tokenOf,
}: {
  readonly what: string;
  readonly load: () => ReturnType<typeof holdersOf>;
  readonly address: Hex;
  /** Heading of the other party. */
  readonly title: string;
  readonly tokenOf: (holding: Holding) => Hex;
}) {
  const loaded = useLoaded(`${what} ${address}`, load, POLL_MS);
  const columns: readonly Column<Holding>[] = [
    { title, cell: ({ party }) => <AddressLink address={party} /> },
    {
      title: 'Balance',
      cell: (holding) => (
        <TokenAmount token={tokenOf(holding)} amount={holding.balance} item={holding.item} />
      ),
    },
  ];
  return (
    <Show loaded={loaded} what={`the ${what}`}>
      {({ holdings, isComplete }) => (
        <>
          {!isComplete && <p class="quiet">There may be others: not all transfers were searched.</p>}
          {holdings.length === 0 ? (
            <Empty>No {what}.</Empty>
          ) : (
            <Paged items={holdings}>
              {(shown) => (
                <Table
                  caption={`The ${what}, greatest first`}
                  columns={columns}
                  rows={shown}
                  keyOf={({ party, item }) => `${party} ${item}`}
                />
              )}
            </Paged>
          )}
        </>
      )}
    </Show>
  );
}
