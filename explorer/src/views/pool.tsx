import { useState } from 'preact/hooks';
import { pendingTransactions } from '../client/blocks.ts';
import { PAGE_ROWS, POLL_MS } from '../limits.ts';
import { PageTitle, Section } from '../parts/layout.tsx';
import { Pager } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { TransactionsTable } from '../parts/transactions-table.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { grouped } from '../text/numbers.ts';

/** What waits for a block. */
export function PoolView() {
  const [page, setPage] = useState(0);
  const loaded = useLoaded('pool', pendingTransactions, POLL_MS);
  return (
    <>
      <PageTitle title="Pool" kind="Operations that wait for a block" />
      <Show loaded={loaded} what="the pool">
        {(transactions) => {
          const last = Math.max(0, Math.ceil(transactions.length / PAGE_ROWS) - 1);
          const shownPage = Math.min(page, last);
          const start = shownPage * PAGE_ROWS;
          return (
            <Section title="Waiting" note={grouped(transactions.length)}>
              {transactions.length === 0 ? (
                <Empty>Nothing waits: every operation that was accepted is in a block.</Empty>
              ) : (
                <TransactionsTable
                  caption="Waiting operations, in the order in which they came"
                  transactions={transactions.slice(start, start + PAGE_ROWS)}
                  hasBlock={false}
                />
              )}
              <Pager page={shownPage} count={transactions.length} onPage={setPage} />
            </Section>
          );
        }}
      </Show>
    </>
  );
}
