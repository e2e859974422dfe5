import type { ComponentChildren } from 'preact';
import { facts, factsFailure } from './live/chain-state.ts';
import { connection } from './live/feed.ts';
import { lazy } from './parts/lazy.tsx';
import { route } from './routing/location.ts';
import { linkTo, type Route } from './routing/route.ts';
import { SearchField } from './search/search-field.tsx';
import { SearchView } from './search/search-view.tsx';
import { BlockView } from './views/block.tsx';
import { NothingView } from './views/nothing.tsx';
import { Overview } from './views/overview.tsx';
import { PoolView } from './views/pool.tsx';

// Large views that are not shown first are loaded on demand.
const TransactionView = lazy(
  'the operation',
  async () => (await import('./views/transaction.tsx')).TransactionView,
);
const AddressView = lazy('the address', async () => (await import('./views/address.tsx')).AddressView);
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
  const link = (to: 'overview' | 'pool' | 'tools' | 'register', title: string) => (
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
        <a href="openrpc.json">Interface</a>
      </div>
    </footer>
  );
}
