import { useState } from 'preact/hooks';
import { type Account, accountOf } from '../client/accounts.ts';
import { type Numbered, numberedFrom } from '../client/numbered.ts';
import { hexOf, listOf } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { POLL_MS } from '../limits.ts';
import { facts, shownProfile, words } from '../live/chain-state.ts';
import { Amount } from '../parts/amount.tsx';
import { PageTitle, Section } from '../parts/layout.tsx';
import { AddressLink } from '../parts/links.tsx';
import { OlderPager } from '../parts/older-pager.tsx';
import { Paged } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { byteText, grouped } from '../text/numbers.ts';
import { capitalized } from '../text/vocabulary.ts';
import { CreatedBy } from './address/created-by.tsx';

/** Lists the accounts of a test node, and on a native chain those of the ledger. */
export function AccountsView() {
  const isTest = facts.value?.isTest === true;
  const isNative = shownProfile.value === 'ledger';
  return (
    <>
      <PageTitle title="Accounts" />
      {isTest && <WalletAccounts />}
      {isNative && <NumberedList kind="1.2" title="Accounts of the ledger" />}
      {!isTest && !isNative && (
        <Empty>This chain has no list of its accounts: look one up by its address or its name.</Empty>
      )}
    </>
  );
}

/** Lists the contracts of the chain, the newest first. */
export function ContractsView() {
  return (
    <>
      <PageTitle title="Contracts" />
      <NumberedList kind="1.11" title="Contracts, newest first" />
    </>
  );
}

/** Lists the accounts whose keys the node has. */
function WalletAccounts() {
  const loaded = useLoaded(
    'accounts of the wallet',
    async () => {
      const addresses = listOf(await call('eth_accounts')).map(hexOf);
      const found = await Promise.all(addresses.map(accountOf));
      return found.filter((account) => account !== undefined);
    },
    POLL_MS,
  );
  return (
    <Section title="Accounts of the test wallet" note="the node signs for them">
      <Show loaded={loaded} what="the accounts">
        {(accounts) => (
          <Paged items={accounts}>{(shown) => <AccountTable kind="1.2" accounts={shown} />}</Paged>
        )}
      </Show>
    </Section>
  );
}

function NumberedList({ kind, title }: { readonly kind: Numbered; readonly title: string }) {
  /** Starts of the previous pages. */
  const [places, setPlaces] = useState<readonly number[]>([]);
  const from = places.at(-1);
  const loaded = useLoaded(`numbered ${kind} ${from}`, () => numberedFrom(kind, from));
  return (
    <Section title={title}>
      <Show loaded={loaded} what="the list">
        {({ accounts, next }) => (
          <>
            {accounts.length === 0 ? (
              <Empty>There is none.</Empty>
            ) : (
              <AccountTable kind={kind} accounts={accounts} />
            )}
            <OlderPager
              onNewer={places.length === 0 ? undefined : () => setPlaces(places.slice(0, -1))}
              onOlder={next === undefined ? undefined : () => setPlaces([...places, next])}
            />
          </>
        )}
      </Show>
    </Section>
  );
}

const CONTRACT_COLUMNS: readonly Column<Account>[] = [
  { title: 'Code', cell: ({ codeSize }) => byteText(codeSize), isNumber: true },
  { title: 'Created', cell: ({ address }) => <CreatedBy address={address} /> },
];

function AccountTable({
  kind,
  accounts,
}: {
  readonly kind: Numbered;
  readonly accounts: readonly Account[];
}) {
  const isContract = kind === '1.11';
  const columns: readonly Column<Account>[] = [
    {
      title: isContract ? 'Contract' : 'Account',
      cell: ({ address, native }) => (
        <>
          <AddressLink address={address} /> {native !== undefined && <span class="quiet">{native.name}</span>}
        </>
      ),
    },
    { title: 'Balance', cell: ({ balance }) => <Amount amount={balance} isShort />, isNumber: true },
    ...(isContract ? CONTRACT_COLUMNS : [sentColumn()]),
  ];
  return <Table caption="Newest first" columns={columns} rows={accounts} keyOf={({ address }) => address} />;
}

/** The transactions that an account has sent: its nonce on a chain with Ethereum. */
function sentColumn(): Column<Account> {
  return {
    title: `${capitalized(words.value.transactions)} sent`,
    cell: ({ nonce, paidOperations }) => grouped(paidOperations ?? nonce),
    isNumber: true,
  };
}
