import { useState } from 'preact/hooks';
import { type Block, blockByNumber } from '../client/blocks.ts';
import { type ListedOperation, listedOf } from '../client/operations.ts';
import { PAGE_ROWS } from '../limits.ts';
import { facts, shownProfile, words } from '../live/chain-state.ts';
import { liveBlocks } from '../live/feed.ts';
import { Moment } from '../parts/age.tsx';
import { Amount } from '../parts/amount.tsx';
import { GasBar } from '../parts/gas-bar.tsx';
import { Fact, Facts, PageTitle, Section } from '../parts/layout.tsx';
import { AddressLink, BlockLink, Digits } from '../parts/links.tsx';
import { Neighbours } from '../parts/neighbours.tsx';
import { sourceOf } from '../parts/origin.tsx';
import { Pager } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { TransactionList } from '../parts/transaction-list.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { linkTo } from '../routing/route.ts';
import { byteText, grouped, gweiText, percentText } from '../text/numbers.ts';
import { capitalized } from '../text/vocabulary.ts';

/** Shows the header and the transactions of a block. */
export function BlockView({ number }: { readonly number: number }) {
  const newest = liveBlocks.value[0]?.header.number;
  const isThere = newest !== undefined && number <= newest;
  // A block that does not exist yet is requested again with each new block.
  const block = useLoaded(`${number} ${isThere}`, () => blockByNumber(number));
  return (
    <>
      <div class="beside">
        <PageTitle title={`Block ${number}`} kind={isRemote(number) ? 'Block of the remote chain' : 'Block'}>
          {grouped(number)}
        </PageTitle>
        <Neighbours
          label="Neighbouring blocks"
          previous={number > 0 ? linkTo({ view: 'block', number: number - 1 }) : undefined}
          next={
            newest !== undefined && number < newest
              ? linkTo({ view: 'block', number: number + 1 })
              : undefined
          }
          names={[grouped(number - 1), grouped(number + 1)]}
        />
      </div>
      <Show loaded={block} what={`block ${number}`}>
        {(found) =>
          found === undefined ? (
            <Empty>
              There is no block {grouped(number)} yet.
              {newest !== undefined && (
                <>
                  {' '}
                  The latest is <BlockLink number={newest} />.
                </>
              )}
            </Empty>
          ) : (
            <>
              <Header block={found} />
              <Transactions block={found} />
            </>
          )
        }
      </Show>
    </>
  );
}

const STATUS: Column<ListedOperation> = {
  title: 'Status',
  cell: ({ isSuccess }) => (
    <span class={isSuccess === false ? 'bad-text' : 'good-text'}>
      {isSuccess === false ? '✗\u202fFailed' : '✓\u202fSuccess'}
    </span>
  ),
};

/** Returns true for a block up to that of a fork. */
function isRemote(number: number): boolean {
  const fork = facts.value?.fork;
  return fork !== undefined && number <= fork.number;
}

function RemoteChain({ number }: { readonly number: number }) {
  const fork = facts.value?.fork;
  if (fork === undefined) return null;
  return (
    <span class="wrapped">
      {sourceOf(fork)}
      {number === fork.number && '; this chain continues from here'}
    </span>
  );
}

function Header({ block }: { readonly block: Block }) {
  return (
    <Section title="Header">
      <Facts>
        <Fact name="Block hash">
          <Digits text={block.hash} what="the hash" />
        </Fact>
        <Fact name="Timestamp">
          <Moment timestamp={block.timestamp} />
        </Fact>
        <Fact name={capitalized(words.value.transactions)}>{grouped(block.hashes.length)}</Fact>
        <Fact name="Producer">
          <AddressLink address={block.producer} isWhole />
        </Fact>
        {shownProfile.value === 'ethereum' ? (
          <>
            <Fact name="Gas used">
              <GasBar used={block.gasUsed} limit={block.gasLimit} />
            </Fact>
            <Fact name="Base fee">
              {gweiText(block.baseFee)} <BaseFeeChange block={block} />
            </Fact>
          </>
        ) : (
          <Fact name="Fees">
            <Amount amount={block.gasUsed} />
          </Fact>
        )}
        <Fact name="Size">{byteText(block.size)}</Fact>
        {isRemote(block.number) && (
          <Fact name="Chain">
            <RemoteChain number={block.number} />
          </Fact>
        )}
        <Fact name="Parent block">
          {block.number > 0 ? (
            <span class="in-text">
              <BlockLink number={block.number - 1} /> <span class="mono quiet">{block.parentHash}</span>
            </span>
          ) : (
            'none: it is the first'
          )}
        </Fact>
      </Facts>
      <details class="more">
        <summary>Roots and random value</summary>
        <Facts>
          <Fact name="State root">
            <Digits text={block.stateRoot} what="the state root" />
          </Fact>
          <Fact name={`${capitalized(words.value.transactions)} root`}>
            <Digits text={block.transactionsRoot} what="the root of the transactions" />
          </Fact>
          {block.random !== undefined && (
            <Fact name="Random value">
              <Digits text={block.random} what="the random value" />
            </Fact>
          )}
        </Facts>
      </details>
    </Section>
  );
}

/** Shows by how much the base fee differs from that of the parent block. */
function BaseFeeChange({ block: { number, baseFee } }: { readonly block: Block }) {
  const loaded = useLoaded(`parent of ${number}`, async () => blockByNumber(Math.max(0, number - 1)));
  const before = loaded.state === 'ready' ? loaded.value?.baseFee : undefined;
  if (before === undefined || before === 0n || before === baseFee) return null;
  const difference = baseFee - before;
  return (
    <span class="quiet">
      ({difference < 0n ? '\u2212' : '+'}
      {percentText(difference < 0n ? -difference : difference, before)})
    </span>
  );
}

function Transactions({ block }: { readonly block: Block }) {
  const [page, setPage] = useState(0);
  const { transactions } = words.value;
  const { hash, hashes } = block;
  const shown = hashes.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  const loaded = useLoaded(`${hash} ${page}`, async () => {
    const found = await Promise.all(shown.map(listedOf));
    return found.filter((listed) => listed !== undefined);
  });
  return (
    <Section title={capitalized(transactions)} note={grouped(hashes.length)}>
      {hashes.length === 0 ? (
        <Empty>This block has none.</Empty>
      ) : (
        <Show loaded={loaded} what={`the ${transactions}`}>
          {(listed) => (
            <TransactionList
              caption={`${capitalized(transactions)} of block ${block.number}`}
              transactions={listed}
              without={['block', 'age', 'mark']}
              extra={[STATUS]}
            />
          )}
        </Show>
      )}
      <Pager page={page} count={hashes.length} onPage={setPage} />
    </Section>
  );
}
