import { type Receipt, receiptOf, type Transaction, transactionOf } from '../client/blocks.ts';
import type { Hex } from '../client/reading.ts';
import { Amount } from '../parts/amount.tsx';
import { Badge, Fact, Facts, PageTitle, Section } from '../parts/layout.tsx';
import { AddressLink, BlockLink, Digits } from '../parts/links.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { isHash } from '../text/identifiers.ts';
import { grouped } from '../text/numbers.ts';
import { NothingView } from './nothing.tsx';

/** An operation: what it is, how it ended, and what its code did. */
export function TransactionView({ hash }: { readonly hash: string; readonly part: string }) {
  return isHash(hash) ? <Known hash={hash} /> : <NothingView path={`tx/${hash}`} />;
}

function Known({ hash }: { readonly hash: Hex }) {
  const loaded = useLoaded(hash, async () => {
    const [transaction, receipt] = await Promise.all([transactionOf(hash), receiptOf(hash)]);
    return transaction && { transaction, receipt };
  });
  return (
    <>
      <PageTitle title="Operation" />
      <Show loaded={loaded} what="the operation">
        {(found) =>
          found === undefined ? (
            <Empty>There is no operation with this hash.</Empty>
          ) : (
            <Overview transaction={found.transaction} receipt={found.receipt} />
          )
        }
      </Show>
    </>
  );
}

function Overview({
  transaction,
  receipt,
}: {
  readonly transaction: Transaction;
  readonly receipt: Receipt | undefined;
}) {
  return (
    <Section title="Overview">
      <Facts>
        <Fact name="Status">
          {receipt === undefined ? (
            <Badge tone="waiting">waits</Badge>
          ) : (
            <Badge>{String(receipt.isSuccess)}</Badge>
          )}
        </Fact>
        <Fact name="Hash">
          <Digits text={transaction.hash} what="the hash" />
        </Fact>
        {transaction.blockNumber !== undefined && (
          <Fact name="Block">
            <BlockLink number={transaction.blockNumber} />
          </Fact>
        )}
        <Fact name="From">
          <AddressLink address={transaction.from} isWhole />
        </Fact>
        <Fact name="To">
          {transaction.to === undefined ? 'nobody' : <AddressLink address={transaction.to} isWhole />}
        </Fact>
        <Fact name="Amount">
          <Amount amount={transaction.value} />
        </Fact>
        <Fact name="Gas">{grouped(transaction.gas)}</Fact>
      </Facts>
    </Section>
  );
}
