import type { Receipt, Transaction } from '../../client/blocks.ts';
import type { Hex } from '../../client/reading.ts';
import { callTree } from '../../client/traces.ts';
import { useContracts } from '../../contracts/known-contracts.ts';
import { reasonInWords } from '../../contracts/words.ts';
import { Moment } from '../../parts/age.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Badge, Fact, Facts, Section } from '../../parts/layout.tsx';
import { AddressLink, BlockLink, Digits } from '../../parts/links.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { pendingForm } from '../../text/identifiers.ts';
import { grouped } from '../../text/numbers.ts';

/** Summarises an operation. */
export function Summary({
  transaction,
  receipt,
}: {
  readonly transaction: Transaction;
  readonly receipt: Receipt | undefined;
}) {
  const { hash, from, to, value, blockNumber, index, timestamp, isSigned } = transaction;
  const waited = pendingForm(hash);
  return (
    <Section title="Summary">
      <Facts>
        <Fact name="Status">
          <Status hash={hash} to={to} receipt={receipt} />
        </Fact>
        <Fact name="Hash">
          <Digits text={hash} what="the hash" />
        </Fact>
        {!isSigned && waited !== hash && (
          <Fact name="While it waited">
            <Digits text={waited} what="the hash that it had while it waited" />
          </Fact>
        )}
        {blockNumber !== undefined && (
          <Fact name="Block">
            <span class="in-text">
              <BlockLink number={blockNumber} />
              <span class="quiet">, at position {index}</span>
            </span>
          </Fact>
        )}
        {timestamp !== undefined && (
          <Fact name="Time">
            <Moment timestamp={timestamp} />
          </Fact>
        )}
        <Fact name="From">
          <AddressLink address={from} isWhole />
        </Fact>
        <Fact name={to === undefined && receipt?.contract !== undefined ? 'Created' : 'To'}>
          <Receiver to={to ?? receipt?.contract} />
        </Fact>
        <Fact name="Amount">
          <Amount amount={value} />
        </Fact>
        <Fact name="Charged">
          {receipt === undefined ? (
            <span class="quiet">at most {grouped(transaction.gas)} gas</span>
          ) : (
            <>
              <Amount amount={receipt.gasUsed * receipt.gasPrice} />
              <span class="quiet">
                {' '}
                ({grouped(receipt.gasUsed)} of {grouped(transaction.gas)} gas)
              </span>
            </>
          )}
        </Fact>
      </Facts>
    </Section>
  );
}

function Receiver({ to }: { readonly to: Hex | undefined }) {
  return to === undefined ? <span class="quiet">nobody</span> : <AddressLink address={to} isWhole />;
}

function Status({
  hash,
  to,
  receipt,
}: {
  readonly hash: Hex;
  readonly to: Hex | undefined;
  readonly receipt: Receipt | undefined;
}) {
  if (receipt === undefined) return <Badge tone="waiting">Pending</Badge>;
  if (receipt.isSuccess) return <Badge tone="good">Succeeded</Badge>;
  return (
    <>
      <Badge tone="bad">Failed</Badge> <Reason hash={hash} to={to} />
    </>
  );
}

/** Shows the reason of a failure from the trace, since the receipt lacks it. */
function Reason({ hash, to }: { readonly hash: Hex; readonly to: Hex | undefined }) {
  const loaded = useLoaded(`reason ${hash}`, () => callTree(hash));
  const contracts = useContracts(to === undefined ? [] : [to]);
  if (loaded.state !== 'ready') return null;
  const { error, output } = loaded.value.root;
  const reason = reasonInWords(to && contracts.get(to)?.abi, output);
  return <span>{reason ?? error}</span>;
}
