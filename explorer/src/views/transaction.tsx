import { useState } from 'preact/hooks';
import { blockByNumber, type Receipt, receiptOf, type Transaction, transactionOf } from '../client/blocks.ts';
import type { Hex } from '../client/reading.ts';
import { callTree } from '../client/traces.ts';
import { consoleLines } from '../contracts/console-lines.ts';
import { tokenTransfers } from '../contracts/tokens.ts';
import { words } from '../live/chain-state.ts';
import { liveBlocks } from '../live/feed.ts';
import { PageTitle } from '../parts/layout.tsx';
import { Neighbours } from '../parts/neighbours.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { goTo } from '../routing/location.ts';
import { linkTo } from '../routing/route.ts';
import { isHash, shortened } from '../text/identifiers.ts';
import { capitalized } from '../text/vocabulary.ts';
import { NothingView } from './nothing.tsx';
import { Calls } from './transaction/calls.tsx';
import { ConsoleLines } from './transaction/console.tsx';
import { Logs } from './transaction/logs.tsx';
import { Operation } from './transaction/operation.tsx';
import { StateChanges } from './transaction/state-changes.tsx';
import { Steps } from './transaction/steps.tsx';
import { Summary } from './transaction/summary.tsx';
import { TokenTransfers } from './transaction/token-transfers.tsx';

/** Shows a transaction, its outcome, and its trace. */
export function TransactionView({ hash, part }: { readonly hash: string; readonly part: string }) {
  return isHash(hash) ? <Searched hash={hash} part={part} /> : <NothingView path={`tx/${hash}`} />;
}

function Searched({ hash, part }: { readonly hash: Hex; readonly part: string }) {
  const { transaction } = words.value;
  const name = capitalized(transaction);
  const [isIncluded, setIncluded] = useState(false);
  // A pending or unknown transaction is requested again with each block.
  const head = isIncluded ? 'included' : liveBlocks.value[0]?.header.hash;
  const loaded = useLoaded(`${hash} ${head}`, async () => {
    const [transaction, receipt] = await Promise.all([transactionOf(hash), receiptOf(hash)]);
    if (receipt !== undefined) setIncluded(true);
    return transaction && { transaction, receipt };
  });
  return (
    <>
      <div class="beside">
        <PageTitle title={`${name} ${shortened(hash)}`} kind={kindOf(loaded)}>
          {name}
        </PageTitle>
        {loaded.state === 'ready' && loaded.value !== undefined && (
          <InBlock transaction={loaded.value.transaction} />
        )}
      </div>
      <Show loaded={loaded} what={`the ${transaction}`}>
        {(found) =>
          found === undefined ? (
            <Empty>
              There is no {transaction} with the hash <span class="mono">{hash}</span>. It may have been
              dropped, or reverted with its block.
            </Empty>
          ) : (
            <Found hash={hash} part={part} {...found} />
          )
        }
      </Show>
    </>
  );
}

function kindOf(loaded: ReturnType<typeof useLoaded<{ transaction: Transaction } | undefined>>): string {
  if (loaded.state !== 'ready' || loaded.value === undefined) return 'Transaction';
  const { to, input, isSigned } = loaded.value.transaction;
  if (to === undefined) return input === '0x' && !isSigned ? 'Native operation' : 'Contract creation';
  return input === '0x' ? 'Transfer' : 'Contract call';
}

/** Leads to the transactions before and after it in its block. */
function InBlock({ transaction: { blockNumber, index } }: { readonly transaction: Transaction }) {
  const loaded = useLoaded(`block of ${blockNumber}`, async () =>
    blockNumber === undefined ? undefined : blockByNumber(blockNumber),
  );
  if (loaded.state !== 'ready' || index === undefined) return null;
  const hashes = loaded.value?.hashes ?? [];
  const linked = (hash: Hex | undefined) => hash && linkTo({ view: 'transaction', hash, part: '' });
  return (
    <Neighbours
      label="In the same block"
      previous={linked(hashes[index - 1])}
      next={linked(hashes[index + 1])}
      names={['Previous', 'Next']}
    />
  );
}

function Found({
  hash,
  part,
  transaction,
  receipt,
}: {
  readonly hash: Hex;
  readonly part: string;
  readonly transaction: Transaction;
  readonly receipt: Receipt | undefined;
}) {
  const tabs = receipt === undefined ? [overviewTab(transaction, undefined)] : tabsOf(transaction, receipt);
  return (
    <>
      <Summary transaction={transaction} receipt={receipt} />
      <Tabs
        label="Parts of the transaction"
        tabs={tabs}
        chosen={part}
        onChoose={(id) => goTo({ view: 'transaction', hash, part: id })}
      />
    </>
  );
}

function overviewTab(transaction: Transaction, receipt: Receipt | undefined): Tab {
  return {
    id: 'overview',
    title: 'Overview',
    show: () => <Operation transaction={transaction} receipt={receipt} />,
  };
}

function tabsOf(transaction: Transaction, receipt: Receipt): readonly Tab[] {
  const { hash } = transaction;
  const transfers = tokenTransfers(receipt.logs);
  const tokens: Tab = {
    id: 'tokens',
    title: 'Token transfers',
    count: transfers.length,
    show: () => <TokenTransfers transfers={transfers} />,
  };
  return [
    overviewTab(transaction, receipt),
    ...(transfers.length > 0 ? [tokens] : []),
    { id: 'calls', title: 'Calls', show: () => <Traced hash={hash} show="calls" /> },
    { id: 'logs', title: 'Logs', count: receipt.logs.length, show: () => <Logs logs={receipt.logs} /> },
    { id: 'state', title: 'State', show: () => <StateChanges hash={hash} /> },
    { id: 'steps', title: 'Steps', show: () => <Steps hash={hash} /> },
    { id: 'console', title: 'Console', show: () => <Traced hash={hash} show="console" /> },
  ];
}

/** Shows the views that need the calls of a transaction. */
function Traced({ hash, show }: { readonly hash: Hex; readonly show: 'calls' | 'console' }) {
  const loaded = useLoaded(hash, () => callTree(hash));
  return (
    <Show loaded={loaded} what="the calls">
      {(tree) =>
        show === 'calls' ? <Calls tree={tree} /> : <ConsoleLines lines={consoleLines(tree.frames)} />
      }
    </Show>
  );
}
