import type { ComponentChildren } from 'preact';
import { facts, nodeStatus, words } from '../../live/chain-state.ts';
import { connection, liveBlocks, pace } from '../../live/feed.ts';
import { Age } from '../../parts/age.tsx';
import { linkTo } from '../../routing/route.ts';
import { decimal, grouped } from '../../text/numbers.ts';
import { capitalized } from '../../text/vocabulary.ts';
import { OperationsChart } from './operations-chart.tsx';

/** The key figures at the top. */
export function Gauges() {
  const status = nodeStatus.value;
  const [newest] = liveBlocks.value;
  const { blockSeconds, operations } = pace.value;
  return (
    <dl class="gauges">
      <Gauge
        name="Latest block"
        value={newest === undefined ? '–' : grouped(newest.header.number)}
        note={newest === undefined ? 'no block yet' : <Age timestamp={newest.header.timestamp} />}
      />
      <Gauge
        name="Block time"
        value={blockSeconds === undefined ? '–' : `${decimal(blockSeconds, blockSeconds < 1 ? 2 : 1)}\u202fs`}
        note="average"
      />
      <Gauge
        name={capitalized(words.value.transactions)}
        value={decimal(operations, operations < 10 ? 1 : 0)}
        note="per second, last 10 s"
        picture={<OperationsChart />}
      />
      <Gauge
        name="Pool"
        value={status === undefined ? '–' : grouped(status.pending)}
        note={<a href={linkTo({ view: 'pool' })}>pending {words.value.transactions}</a>}
      />
      <Gauge name="Node" {...healthOf(status, connection.value === 'lost')} />
    </dl>
  );
}

function healthOf(
  status: typeof nodeStatus.value,
  isLost: boolean,
): { readonly value: string; readonly note: string; readonly tone?: 'good' | 'bad' } {
  if (isLost) return { value: 'Lost', note: 'trying again', tone: 'bad' };
  if (status === undefined) return { value: '–', note: 'asking' };
  const note = peersText(status.peers, facts.value?.isTest === true);
  if (status.isWell) return { value: 'Healthy', note, tone: 'good' };
  return { value: 'Unhealthy', note: status.problems.join('; ') || note, tone: 'bad' };
}

/** A test node has no peers, and needs none. */
function peersText(peers: number, isTest: boolean): string {
  if (peers === 0) return isTest ? 'test mode' : 'no peers';
  return `${peers} ${peers === 1 ? 'peer' : 'peers'}`;
}

function Gauge({
  name,
  value,
  note,
  tone,
  picture,
}: {
  readonly name: string;
  readonly value: string;
  readonly note: ComponentChildren;
  readonly tone?: 'good' | 'bad';
  readonly picture?: ComponentChildren;
}) {
  return (
    <div class="gauge">
      <dt>{name}</dt>
      <dd>
        <strong class={tone}>{value}</strong>
        <small>{note}</small>
        {picture}
      </dd>
    </div>
  );
}
