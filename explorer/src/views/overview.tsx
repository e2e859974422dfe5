import { facts, nodeStatus } from '../live/chain-state.ts';
import { isPaused, type LiveBlock, liveBlocks, liveOperations, pace } from '../live/feed.ts';
import { Age } from '../parts/age.tsx';
import { PageTitle, Section } from '../parts/layout.tsx';
import { AddressLink, BlockLink } from '../parts/links.tsx';
import { ForkNote } from '../parts/origin.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { TransactionsTable } from '../parts/transactions-table.tsx';
import { usePausable } from '../parts/use-pausable.ts';
import { grouped } from '../text/numbers.ts';
import { Gauges } from './overview/gauges.tsx';

/** Rows of each list. */
const SHOWN = 12;

/** Shows the status of the chain and its recent activity. */
export function Overview() {
  const found = facts.value;
  return (
    <>
      <PageTitle title="Overview" kind={found === undefined ? undefined : kindOf(found)} />
      <Gauges />
      <div class="live">
        <PauseButton />
        <LiveBlocks />
        <LiveOperations />
      </div>
    </>
  );
}

function kindOf({ network, chainId, hardfork, isTest, fork }: NonNullable<typeof facts.value>): string {
  const parts = [
    network && `${network} network`,
    `chain ${chainId}`,
    furtherChain(location.pathname),
    hardfork,
    isTest ? 'test mode' : undefined,
    fork && `fork of ${fork.source ?? 'stored entries'} at block ${grouped(fork.number)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** Names the further chain of a path such as `/chain/2/`: all chains of a node have the same id. */
function furtherChain(path: string): string | undefined {
  const [, number] = /^\/chain\/(\d+)\//.exec(path) ?? [];
  return number && `/chain/${number}`;
}

/** Pauses moving content (WCAG 2.2.2). */
function PauseButton() {
  return (
    <button
      type="button"
      class="button pause"
      aria-pressed={isPaused.value}
      onClick={() => {
        isPaused.value = !isPaused.value;
      }}
    >
      {isPaused.value ? 'Resume' : 'Pause'}
      <span class="hidden"> the live lists</span>
    </button>
  );
}

const BLOCK_COLUMNS: readonly Column<LiveBlock>[] = [
  { title: 'Block', cell: ({ header }) => <BlockLink number={header.number} /> },
  { title: 'Age', cell: ({ header }) => <Age timestamp={header.timestamp} /> },
  { title: 'Operations', cell: ({ operations }) => operations ?? '…', isNumber: true },
  {
    title: 'Charged',
    cell: ({ header }) => grouped(header.gasUsed),
    isNumber: true,
    hidden: 'phone',
  },
  {
    title: 'Producer',
    cell: ({ header }) => <AddressLink address={header.producer} />,
    isNumber: true,
  },
];

function LiveBlocks() {
  const blocks = usePausable(liveBlocks.value);
  return (
    <Section title="Newest blocks" note={nodeStatus.value === undefined ? undefined : 'live'}>
      {blocks.length === 0 ? (
        <Loading what="the newest blocks" />
      ) : (
        <Table
          caption="Newest blocks first"
          columns={BLOCK_COLUMNS}
          rows={blocks.slice(0, SHOWN)}
          keyOf={({ header }) => header.hash}
        />
      )}
      <ForkNote />
    </Section>
  );
}

function LiveOperations() {
  const operations = usePausable(liveOperations.value);
  const isIdle = operations.length === 0 && pace.value.operations === 0;
  return (
    <Section title="Newest operations">
      {isIdle ? (
        <Empty>
          None in the last blocks. What is sent to this node appears here as soon as it is in a block.
        </Empty>
      ) : (
        <TransactionsTable caption="Newest operations first" transactions={operations.slice(0, SHOWN)} />
      )}
    </Section>
  );
}
