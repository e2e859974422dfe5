import { useState } from 'preact/hooks';
import { type Receipt, receiptOf, type Transaction, transactionOf } from '../client/blocks.ts';
import type { Hex } from '../client/reading.ts';
import { callTree } from '../client/traces.ts';
import { consoleLines } from '../contracts/console-lines.ts';
import { liveBlocks } from '../live/feed.ts';
import { PageTitle } from '../parts/layout.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { actionOf } from '../parts/transactions-table.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { goTo } from '../routing/location.ts';
import { isHash, shortened } from '../text/identifiers.ts';
import { NothingView } from './nothing.tsx';
import { Calls } from './transaction/calls.tsx';
import { ConsoleLines } from './transaction/console.tsx';
import { Logs } from './transaction/logs.tsx';
import { Operation } from './transaction/operation.tsx';
import { StateChanges } from './transaction/state-changes.tsx';
import { Steps } from './transaction/steps.tsx';
import { Summary } from './transaction/summary.tsx';

/** Shows an operation, its outcome, and its trace. */
export function TransactionView({ hash, part }: { readonly hash: string; readonly part: string }) {
  return isHash(hash) ? <Searched hash={hash} part={part} /> : <NothingView path={`tx/${hash}`} />;
}

function Searched({ hash, part }: { readonly hash: Hex; readonly part: string }) {
  const [isIncluded, setIncluded] = useState(false);
  // A pending or unknown operation is requested again with each block.
  const head = isIncluded ? 'included' : liveBlocks.value[0]?.header.hash;
  const loaded = useLoaded(`${hash} ${head}`, async () => {
    const [transaction, receipt] = await Promise.all([transactionOf(hash), receiptOf(hash)]);
    if (receipt !== undefined) setIncluded(true);
    return transaction && { transaction, receipt };
  });
  return (
    <>
      <PageTitle title={`Operation ${shortened(hash)}`} kind={kindOf(loaded)}>
        Operation
      </PageTitle>
      <Show loaded={loaded} what="the operation">
        {(found) =>
          found === undefined ? (
            <Empty>
              There is no operation with the hash <span class="mono">{hash}</span>. It may have been dropped,
              or taken back with its block.
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
  if (loaded.state !== 'ready' || loaded.value === undefined) return 'Operation';
  const { transaction } = loaded.value;
  const kind = { native: 'Native operation', creation: 'Creation', transfer: 'Transfer', call: 'Call' };
  return `${transaction.isSigned ? 'Ethereum transaction · ' : ''}${kind[actionOf(transaction)]}`;
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
  const tabs = receipt === undefined ? [operationTab(transaction)] : tabsOf(transaction, receipt);
  return (
    <>
      <Summary transaction={transaction} receipt={receipt} />
      <Tabs
        label="Parts of the operation"
        tabs={tabs}
        chosen={part}
        onChoose={(id) => goTo({ view: 'transaction', hash, part: id })}
      />
    </>
  );
}

function operationTab(transaction: Transaction): Tab {
  return { id: 'operation', title: 'Operation', show: () => <Operation transaction={transaction} /> };
}

function tabsOf(transaction: Transaction, receipt: Receipt): readonly Tab[] {
  const { hash } = transaction;
  return [
    operationTab(transaction),
    { id: 'logs', title: 'Logs', count: receipt.logs.length, show: () => <Logs logs={receipt.logs} /> },
    { id: 'calls', title: 'Calls', show: () => <Traced hash={hash} show="calls" /> },
    { id: 'console', title: 'Console', show: () => <Traced hash={hash} show="console" /> },
    { id: 'state', title: 'State', show: () => <StateChanges hash={hash} /> },
    { id: 'steps', title: 'Steps', show: () => <Steps hash={hash} /> },
  ];
}

/** Shows the views that need the calls of an operation. */
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
