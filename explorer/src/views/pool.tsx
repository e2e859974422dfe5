import { useState } from 'preact/hooks';
import type { Transaction } from '../client/blocks.ts';
import { messageOf } from '../client/errors.ts';
import { listedTransaction } from '../client/operations.ts';
import { type Pending, pool, type Reason } from '../client/pool.ts';
import type { Hex } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { POLL_MS } from '../limits.ts';
import { facts, shownProfile, words } from '../live/chain-state.ts';
import { Badge, PageTitle, Section } from '../parts/layout.tsx';
import { Paged } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { TransactionList } from '../parts/transaction-list.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { shortHash } from '../text/identifiers.ts';
import { grouped, gweiText } from '../text/numbers.ts';

/** Lists the pending transactions by sender and nonce, with the reason why each waits. */
export function PoolView() {
  const [round, setRound] = useState(0);
  const [told, setTold] = useState('');
  const loaded = useLoaded(`pool ${round}`, pool, POLL_MS);
  const { transactions } = words.value;
  const isTest = facts.value?.isTest === true;
  const act = async (what: string, action: () => Promise<unknown>): Promise<void> => {
    try {
      await action();
      setTold(what);
    } catch (error) {
      setTold(messageOf(error));
    }
    setRound((count) => count + 1);
  };
  return (
    <>
      <PageTitle title="Pool" kind={`Pending ${transactions}`} />
      <p role="status" class={told === '' ? 'hidden' : 'notice'}>
        {told}
      </p>
      <Show loaded={loaded} what="the pool">
        {(pending) => (
          <Section
            title="Pending"
            note={grouped(pending.length)}
            action={
              isTest &&
              pending.length > 0 && (
                <button
                  type="button"
                  class="button main"
                  onClick={() => void act('A block was mined.', () => call('evm_mine'))}
                >
                  Mine now
                </button>
              )
            }
          >
            {pending.length === 0 ? (
              <Empty>No pending {transactions}: all that were accepted are in a block.</Empty>
            ) : (
              <Paged items={pending}>{(shown) => <PendingList pending={shown} act={act} />}</Paged>
            )}
          </Section>
        )}
      </Show>
    </>
  );
}

type Act = (what: string, action: () => Promise<unknown>) => Promise<void>;

function PendingList({ pending, act }: { readonly pending: readonly Pending[]; readonly act: Act }) {
  const byHash = new Map<Hex, Pending>(pending.map((one) => [one.transaction.hash, one]));
  const cellOf = (cell: (found: Pending) => preact.ComponentChildren) => ({
    cell: ({ hash }: { readonly hash: Hex }) => {
      const found = byHash.get(hash);
      return found && cell(found);
    },
  });
  const nonce = {
    title: 'Nonce',
    isNumber: true,
    ...cellOf(({ transaction }) => grouped(transaction.nonce)),
  };
  const extra: readonly Column<{ readonly hash: Hex }>[] = [
    ...(shownProfile.value === 'ethereum' ? [nonce] : []),
    { title: 'Reason', ...cellOf(({ reason }) => <ReasonText reason={reason} />) },
    ...(facts.value?.isTest === true
      ? [
          {
            title: 'Actions',
            ...cellOf(({ transaction }) => <Actions transaction={transaction} act={act} />),
          },
        ]
      : []),
  ];
  return (
    <TransactionList
      caption="Pending, by sender and nonce"
      transactions={pending.map(({ transaction }) => listedTransaction(transaction))}
      without={['block', 'age', 'fee']}
      extra={extra}
    />
  );
}

function ReasonText({ reason }: { readonly reason: Reason }) {
  switch (reason.kind) {
    case 'ready':
      return <Badge tone="good">Ready: in the next block</Badge>;
    case 'manual':
      return <Badge tone="waiting">Ready: automine is off</Badge>;
    case 'interval':
      return <Badge tone="good">Ready: next block in {reason.seconds}&#8239;s</Badge>;
    case 'nonce':
      return <span class="bad-text">Waits for nonce {grouped(reason.missing)}</span>;
    case 'gas':
      return (
        <span class="bad-text">
          Gas limit {grouped(reason.gas)} is above the block's {grouped(reason.limit)}
        </span>
      );
    case 'fee':
      return (
        <span class="bad-text">
          Fee {gweiText(reason.fee)} is below the base fee {gweiText(reason.baseFee)}
        </span>
      );
  }
}

function Actions({ transaction, act }: { readonly transaction: Transaction; readonly act: Act }) {
  const { hash, isSigned, blobs, authorizations } = transaction;
  const name = shortHash(hash);
  // The node cannot repeat blobs and the signatures of others.
  const isRepeatable = isSigned && blobs.length === 0 && authorizations.length === 0;
  return (
    <span class="buttons">
      <button
        type="button"
        class="button"
        aria-label={`Drop ${name}`}
        onClick={() => void act(`${name} was dropped.`, () => call('anvil_dropTransaction', hash))}
      >
        Drop
      </button>
      {isRepeatable && (
        <button
          type="button"
          class="button"
          aria-label={`Speed up ${name}`}
          title="Sends it again with 10 % more for gas"
          onClick={() => void act(`${name} was replaced.`, () => speedUp(transaction))}
        >
          Speed up
        </button>
      )}
    </span>
  );
}

/** Sends a transaction again for a tenth more, which replaces it. @throws as `call` */
function speedUp(transaction: Transaction): Promise<unknown> {
  const { from, to, value, input, gas, nonce, gasPrice, maxFee, maxPriorityFee } = transaction;
  const raised = (price: bigint) => quantity((price * 11n + 9n) / 10n);
  return call('eth_sendTransaction', {
    from,
    to,
    value: quantity(value),
    data: input,
    gas: quantity(gas),
    nonce: quantity(nonce),
    ...(maxFee === undefined
      ? { gasPrice: raised(gasPrice) }
      : { maxFeePerGas: raised(maxFee), maxPriorityFeePerGas: raised(maxPriorityFee ?? 0n) }),
  });
}

function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
