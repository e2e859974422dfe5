import { pendingTransactions } from '../client/blocks.ts';
import { POLL_MS } from '../limits.ts';
import { PageTitle, Section } from '../parts/layout.tsx';
import { Paged } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { TransactionsTable } from '../parts/transactions-table.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { grouped } from '../text/numbers.ts';

/** Lists the pending transactions. */
export function PoolView() {
  const loaded = useLoaded('pool', pendingTransactions, POLL_MS);
  return (
    <>
      <PageTitle title="Pool" kind="Operations that wait for a block" />
      <Show loaded={loaded} what="the pool">
        {(transactions) => (
          <Section title="Pending" note={grouped(transactions.length)}>
            {transactions.length === 0 ? (
              <Empty>No pending operations: every accepted operation is in a block.</Empty>
            ) : (
              <Paged items={transactions}>
                {(shown) => (
                  <TransactionsTable
                    caption="Pending operations in order of arrival"
                    transactions={shown}
                    hasBlock={false}
                  />
                )}
              </Paged>
            )}
          </Section>
        )}
      </Show>
    </>
  );
}
