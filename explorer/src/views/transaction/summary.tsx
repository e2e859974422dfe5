import { blockByNumber, feeOf, type Receipt, type Transaction } from '../../client/blocks.ts';
import type { Hex } from '../../client/reading.ts';
import type { TokenTransfer } from '../../client/tokens.ts';
import { tokenTransfers } from '../../contracts/tokens.ts';
import { facts, shownProfile, words } from '../../live/chain-state.ts';
import { liveBlocks } from '../../live/feed.ts';
import { Moment } from '../../parts/age.tsx';
import { Amount } from '../../parts/amount.tsx';
import { FailureReason } from '../../parts/failure-reason.tsx';
import { GasBar } from '../../parts/gas-bar.tsx';
import { Badge, Fact, Facts, Section } from '../../parts/layout.tsx';
import { AddressLink, BlockLink, Digits } from '../../parts/links.tsx';
import { TokenAmount } from '../../parts/token-amount.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { pendingForm } from '../../text/identifiers.ts';
import { grouped, gweiText } from '../../text/numbers.ts';

/** Token transfers that the summary shows; all are in their tab. */
const SHOWN_TRANSFERS = 5;

/** A transaction and its receipt; undefined while it is pending. */
interface Summarised {
  readonly transaction: Transaction;
  readonly receipt: Receipt | undefined;
}

/** Summarises a transaction, with the labels and in the order of Etherscan. */
export function Summary({ transaction, receipt }: Summarised) {
  const { hash, from, to, value, timestamp, isSigned, input } = transaction;
  const waited = pendingForm(hash);
  const isEthereum = shownProfile.value === 'ethereum';
  const transfers = tokenTransfers(receipt?.logs ?? []);
  const created = receipt?.contract;
  const receiver = isEthereum && input !== '0x' ? 'Interacted with (To)' : 'To';
  return (
    <Section title="Summary">
      <Facts>
        <Fact name={words.value.hash}>
          <Digits text={hash} what="the hash" />
        </Fact>
        {!isSigned && waited !== hash && (
          <Fact name="While it waited">
            <Digits text={waited} what="the hash that it had while it waited" />
          </Fact>
        )}
        <Fact name="Status">
          <Status hash={hash} to={to} receipt={receipt} />
        </Fact>
        <BlockFact transaction={transaction} />
        {timestamp !== undefined && (
          <Fact name={words.value.time}>
            <Moment timestamp={timestamp} />
          </Fact>
        )}
        <Fact name="From">
          <AddressLink address={from} isWhole />
        </Fact>
        <Fact name={to === undefined && created !== undefined ? 'Contract created' : receiver}>
          <Receiver to={to ?? created} />
        </Fact>
        {transfers.length > 0 && (
          <Fact name="Tokens transferred">
            <Transfers transfers={transfers} />
          </Fact>
        )}
        <Fact name={words.value.value}>
          <Amount amount={value} />
        </Fact>
        <Fact name={words.value.fee}>
          {receipt === undefined ? (
            <span class="quiet">at most {grouped(transaction.gas)} gas</span>
          ) : (
            <Amount amount={feeOf(receipt)} />
          )}
          {!isEthereum && receipt !== undefined && (
            <span class="quiet"> of at most {grouped(transaction.gas)}</span>
          )}
        </Fact>
        {isEthereum && <Fact name="Gas price">{gweiText(receipt?.gasPrice ?? transaction.gasPrice)}</Fact>}
      </Facts>
      {isEthereum && <More transaction={transaction} receipt={receipt} />}
    </Section>
  );
}

/** Shows the block, and how many follow it on a chain that others produce. */
function BlockFact({ transaction: { blockNumber, index } }: Pick<Summarised, 'transaction'>) {
  const head = liveBlocks.value[0]?.header.number;
  if (blockNumber === undefined) return null;
  const confirmations = head === undefined ? 0 : head - blockNumber + 1;
  return (
    <Fact name="Block">
      <span class="in-text">
        <BlockLink number={blockNumber} />
        {shownProfile.value === 'ledger' && <span class="quiet">, at position {index}</span>}
        {facts.value?.isTest === false && confirmations > 0 && (
          <span class="quiet">
            {' '}
            {grouped(confirmations)} {confirmations === 1 ? 'confirmation' : 'confirmations'}
          </span>
        )}
      </span>
    </Fact>
  );
}

const TYPES = ['Legacy', 'EIP-2930', 'EIP-1559', 'EIP-4844', 'EIP-7702'];

/** Shows the details of gas and of the envelope of an Ethereum transaction. */
function More({ transaction, receipt }: Summarised) {
  const { type, nonce, index, gas, maxFee, maxPriorityFee, blobs, blockNumber } = transaction;
  const block = useLoaded(`block of ${blockNumber}`, async () =>
    blockNumber === undefined ? undefined : blockByNumber(blockNumber),
  );
  const baseFee = block.state === 'ready' ? block.value?.baseFee : undefined;
  return (
    <details class="more">
      <summary>More: gas, type and nonce</summary>
      <Facts>
        <Fact name="Gas limit and usage">
          {receipt === undefined ? grouped(gas) : <GasBar used={receipt.gasUsed} limit={gas} />}
        </Fact>
        <Fact name="Gas fees">
          {[
            ...(baseFee === undefined ? [] : [`Base: ${gweiText(baseFee)}`]),
            ...(maxFee === undefined ? [] : [`Max: ${gweiText(maxFee)}`]),
            ...(maxPriorityFee === undefined ? [] : [`Max priority: ${gweiText(maxPriorityFee)}`]),
          ].join(' | ')}
        </Fact>
        {receipt !== undefined && (
          <Fact name="Paid to the producer">
            <Amount amount={feeOf(receipt)} />
            {receipt.blobFee > 0n && (
              <span class="quiet">
                {' '}
                of it for blobs: <Amount amount={receipt.blobFee} />
              </span>
            )}
          </Fact>
        )}
        <Fact name="Txn type">
          {type} ({TYPES[type] ?? 'unknown'})
        </Fact>
        <Fact name="Nonce">{grouped(nonce)}</Fact>
        {index !== undefined && <Fact name="Position in block">{index}</Fact>}
        {blobs.map((blob, position) => (
          <Fact key={blob} name={`Blob ${position + 1}`}>
            <Digits text={blob} what="the versioned hash" />
          </Fact>
        ))}
      </Facts>
    </details>
  );
}

function Transfers({ transfers }: { readonly transfers: readonly TokenTransfer[] }) {
  return (
    <ul class="transfers">
      {transfers.slice(0, SHOWN_TRANSFERS).map(({ key, token, from, to, amount, item }) => (
        <li key={key} class="in-text">
          <TokenAmount token={token} amount={amount} item={item} /> <span class="quiet">from</span>{' '}
          <AddressLink address={from} /> <span class="quiet">to</span> <AddressLink address={to} />
        </li>
      ))}
      {transfers.length > SHOWN_TRANSFERS && (
        <li class="quiet">and {grouped(transfers.length - SHOWN_TRANSFERS)} more</li>
      )}
    </ul>
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
  if (receipt.isSuccess) return <Badge tone="good">✓ Success</Badge>;
  return (
    <>
      <Badge tone="bad">✗ Failed</Badge> <FailureReason hash={hash} to={to} />
    </>
  );
}
