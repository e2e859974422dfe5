import { facts, nodeStatus, words } from '../live/chain-state.ts';
import { isPaused, liveBlocks, liveOperations, pace } from '../live/feed.ts';
import { BlockList } from '../parts/block-list.tsx';
import { FailureReason } from '../parts/failure-reason.tsx';
import { Badge, PageTitle, Section } from '../parts/layout.tsx';
import { HashLink } from '../parts/links.tsx';
import { ForkNote } from '../parts/origin.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { TransactionList } from '../parts/transaction-list.tsx';
import { usePausable } from '../parts/use-pausable.ts';
import { linkTo } from '../routing/route.ts';
import { grouped } from '../text/numbers.ts';
import { Gauges } from './overview/gauges.tsx';

/** Rows of each list. */
const SHOWN = 12;

/** Shows the status of the chain and its recent activity. */
export function Overview() {
  const found = facts.value;
  return (
    <>
      <div class="beside">
        <PageTitle title="Overview" kind={found === undefined ? undefined : kindOf(found)} />
        <PauseButton />
      </div>
      <Gauges />
      <LastFailure />
      <div class="live">
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
      class="button"
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

/** Shows the newest of the latest transactions that failed, with its reason. */
function LastFailure() {
  const failed = usePausable(liveOperations.value).find(({ isSuccess }) => isSuccess === false);
  if (failed === undefined) return null;
  const { hash, to } = failed;
  return (
    <section class="last-failure in-text" aria-label={`Last failed ${words.value.transaction}`}>
      <p>
        <Badge tone="bad">✗ Failed</Badge> <HashLink hash={hash} />{' '}
        <FailureReason key={hash} hash={hash} to={to} />
      </p>
    </section>
  );
}

function LiveBlocks() {
  const blocks = usePausable(liveBlocks.value);
  return (
    <Section
      title="Latest blocks"
      note={nodeStatus.value === undefined ? undefined : 'live'}
      action={<a href={linkTo({ view: 'blocks' })}>All blocks</a>}
    >
      {blocks.length === 0 ? (
        <Loading what="the latest blocks" />
      ) : (
        <BlockList caption="Latest blocks first" blocks={blocks.slice(0, SHOWN)} isShort />
      )}
      <ForkNote />
    </Section>
  );
}

function LiveOperations() {
  const operations = usePausable(liveOperations.value);
  const { transactions } = words.value;
  const isIdle = operations.length === 0 && pace.value.operations === 0;
  return (
    <Section
      title={`Latest ${transactions}`}
      action={<a href={linkTo({ view: 'transactions' })}>All {transactions}</a>}
    >
      {isIdle ? (
        <Empty>
          None in the last blocks. What is sent to this node appears here as soon as it is in a block.
        </Empty>
      ) : (
        <TransactionList
          caption={`Latest ${transactions} first`}
          transactions={operations.slice(0, SHOWN)}
          without={['age', 'fee']}
        />
      )}
    </Section>
  );
}
