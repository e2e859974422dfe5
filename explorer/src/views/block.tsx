import { useState } from 'preact/hooks';
import { type Block, blockByNumber, transactionOf } from '../client/blocks.ts';
import { PAGE_ROWS } from '../limits.ts';
import { facts } from '../live/chain-state.ts';
import { liveBlocks } from '../live/feed.ts';
import { Moment } from '../parts/age.tsx';
import { Fact, Facts, PageTitle, Section } from '../parts/layout.tsx';
import { AddressLink, BlockLink, Digits } from '../parts/links.tsx';
import { sourceOf } from '../parts/origin.tsx';
import { Pager } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { TransactionsTable } from '../parts/transactions-table.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { linkTo } from '../routing/route.ts';
import { byteText, grouped } from '../text/numbers.ts';

/** Shows the header and the operations of a block. */
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
        <Neighbours number={number} newest={newest} />
      </div>
      <Show loaded={block} what={`block ${number}`}>
        {(found) =>
          found === undefined ? (
            <Empty>
              There is no block {grouped(number)} yet.
              {newest !== undefined && (
                <>
                  {' '}
                  The newest is <BlockLink number={newest} />.
                </>
              )}
            </Empty>
          ) : (
            <>
              <Header block={found} />
              <Operations block={found} />
            </>
          )
        }
      </Show>
    </>
  );
}

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

function Neighbours({ number, newest }: { readonly number: number; readonly newest: number | undefined }) {
  return (
    <nav class="neighbours" aria-label="Neighbouring blocks">
      {number > 0 && (
        <a class="button" href={linkTo({ view: 'block', number: number - 1 })}>
          ← {grouped(number - 1)}
        </a>
      )}
      {newest !== undefined && number < newest && (
        <a class="button" href={linkTo({ view: 'block', number: number + 1 })}>
          {grouped(number + 1)} →
        </a>
      )}
    </nav>
  );
}

function Header({ block }: { readonly block: Block }) {
  return (
    <Section title="Header">
      <Facts>
        <Fact name="Hash">
          <Digits text={block.hash} what="the hash" />
        </Fact>
        <Fact name="Before it">
          {block.number > 0 ? <BlockLink number={block.number - 1} /> : 'nothing: it is the first'}
        </Fact>
        {isRemote(block.number) && (
          <Fact name="Chain">
            <RemoteChain number={block.number} />
          </Fact>
        )}
        <Fact name="Time">
          <Moment timestamp={block.timestamp} />
        </Fact>
        <Fact name="Producer">
          <AddressLink address={block.producer} isWhole />
        </Fact>
        <Fact name="Operations">{grouped(block.hashes.length)}</Fact>
        <Fact name="Gas used">{grouped(block.gasUsed)}</Fact>
        <Fact name="Size">{byteText(block.size)}</Fact>
        <Fact name="State root">
          <Digits text={block.stateRoot} what="the state root" />
        </Fact>
        <Fact name="Operations root">
          <Digits text={block.transactionsRoot} what="the root of the operations" />
        </Fact>
        {block.random !== undefined && (
          <Fact name="Random">
            <Digits text={block.random} what="the random value" />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

function Operations({ block }: { readonly block: Block }) {
  const [page, setPage] = useState(0);
  const { hash, hashes } = block;
  const shown = hashes.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  const loaded = useLoaded(`${hash} ${page}`, async () => {
    const found = await Promise.all(shown.map(transactionOf));
    return found.filter((transaction) => transaction !== undefined);
  });
  return (
    <Section title="Operations" note={grouped(hashes.length)}>
      {hashes.length === 0 ? (
        <Empty>This block has none.</Empty>
      ) : (
        <Show loaded={loaded} what="the operations">
          {(transactions) => (
            <TransactionsTable
              caption={`Operations of block ${block.number}`}
              transactions={transactions}
              hasBlock={false}
            />
          )}
        </Show>
      )}
      <Pager page={page} count={hashes.length} onPage={setPage} />
    </Section>
  );
}
