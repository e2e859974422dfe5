import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { facts, factsFailure, words } from './live/chain-state.ts';
import { connection } from './live/feed.ts';
import { lazy } from './parts/lazy.tsx';
import { isKeyListShown, KEYS } from './routing/keys.ts';
import { route } from './routing/location.ts';
import { linkTo, type PlainView, type Route } from './routing/route.ts';
import { SearchField } from './search/search-field.tsx';
import { SearchView } from './search/search-view.tsx';
import { capitalized } from './text/vocabulary.ts';
import { BlockView } from './views/block.tsx';
import { NothingView } from './views/nothing.tsx';
import { Overview } from './views/overview.tsx';

// Large views that are not shown first are loaded on demand.
const TransactionView = lazy(
  'the transaction',
  async () => (await import('./views/transaction.tsx')).TransactionView,
);
const AddressView = lazy('the address', async () => (await import('./views/address.tsx')).AddressView);
const BlocksView = lazy('the blocks', async () => (await import('./views/blocks.tsx')).BlocksView);
const TransactionsView = lazy(
  'the transactions',
  async () => (await import('./views/transactions.tsx')).TransactionsView,
);
const AccountsView = lazy('the accounts', async () => (await import('./views/accounts.tsx')).AccountsView);
const ContractsView = lazy('the contracts', async () => (await import('./views/accounts.tsx')).ContractsView);
const PoolView = lazy('the pool', async () => (await import('./views/pool.tsx')).PoolView);
const ToolsView = lazy('the tools', async () => (await import('./tools/index.tsx')).ToolsView);
const RegisterView = lazy(
  'the registration',
  async () => (await import('./registration/index.tsx')).RegisterView,
);

/** The page: header, the view of its URL, and footer. */
export function App() {
  return (
    <>
      <button type="button" class="skip" onClick={skipToContent}>
        Skip to the content
      </button>
      <Head />
      <ConnectionNotice />
      <main id="content" tabIndex={-1}>
        <View route={route.value} />
      </main>
      <Foot />
    </>
  );
}

/** Moves the focus to the content; a link would change the route in the URL. */
function skipToContent(): void {
  document.getElementById('content')?.focus();
}

function View({ route: shown }: { readonly route: Route }): ComponentChildren {
  switch (shown.view) {
    case 'overview':
      return <Overview />;
    case 'block':
      return <BlockView key={shown.number} number={shown.number} />;
    case 'transaction':
      return <TransactionView key={shown.hash} hash={shown.hash} part={shown.part} />;
    case 'address':
      return <AddressView key={shown.text} text={shown.text} part={shown.part} />;
    case 'blocks':
      return <BlocksView />;
    case 'transactions':
      return <TransactionsView />;
    case 'accounts':
      return <AccountsView />;
    case 'contracts':
      return <ContractsView />;
    case 'pool':
      return <PoolView />;
    case 'tools':
      return <ToolsView />;
    case 'register':
      return <RegisterView />;
    case 'search':
      return <SearchView key={shown.text} text={shown.text} />;
    case 'nothing':
      return <NothingView path={shown.path} />;
  }
}

function Head() {
  const view = route.value.view;
  const link = (to: 'overview' | PlainView, title: string) => (
    <a href={linkTo({ view: to })} aria-current={view === to ? 'page' : undefined}>
      {title}
    </a>
  );
  return (
    <header class="head">
      <div class="width">
        <a class="brand" href={linkTo({ view: 'overview' })}>
          <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M10 8v16h12" />
            <circle cx="20.5" cy="12" r="2.6" />
          </svg>
          ledgerd
        </a>
        <nav aria-label="Main">
          {link('overview', 'Overview')}
          {link('blocks', 'Blocks')}
          {link('transactions', capitalized(words.value.transactions))}
          {link('accounts', 'Accounts')}
          {link('contracts', 'Contracts')}
          {link('pool', 'Pool')}
          {facts.value?.isTest === true && link('tools', 'Tools')}
          {link('register', 'Register')}
        </nav>
        <SearchField />
      </div>
    </header>
  );
}

/** Announces a lost connection to the node, and its recovery. */
function ConnectionNotice() {
  const isLost = connection.value === 'lost';
  return (
    <div role="status" class="width">
      {isLost && (
        <p class="notice">
          {factsFailure.value === undefined
            ? 'The connection to the node is lost. The page may show old data; it reconnects automatically.'
            : `The node does not respond (${factsFailure.value}). The page tries again automatically.`}
        </p>
      )}
    </div>
  );
}

function Foot() {
  return (
    <footer class="foot">
      <div class="width">
        <span>{facts.value?.clientVersion}</span>
        <span class="foot-links">
          <button type="button" class="link" aria-expanded={isKeyListShown.value} onClick={toggleKeyList}>
            Keys
          </button>
          <a href="openrpc.json">Interface</a>
        </span>
        {isKeyListShown.value && <KeyList />}
      </div>
    </footer>
  );
}

function toggleKeyList(): void {
  isKeyListShown.value = !isKeyListShown.value;
}

/** Lists the keys of the page. */
function KeyList() {
  const list = useRef<HTMLElement>(null);
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <section class="keys" aria-label="Keys" ref={list}>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
