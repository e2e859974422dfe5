import type { ComponentChildren } from 'preact';
import { nodeStatus } from '../../live/chain-state.ts';
import { connection, liveBlocks, pace } from '../../live/feed.ts';
import { Age } from '../../parts/age.tsx';
import { linkTo } from '../../routing/route.ts';
import { decimal, grouped } from '../../text/numbers.ts';
import { OperationsChart } from './operations-chart.tsx';

/** The key figures at the top. */
export function Gauges() {
  const status = nodeStatus.value;
  const [newest] = liveBlocks.value;
  const { blockSeconds, operations } = pace.value;
  return (
    <dl class="gauges">
      <Gauge
        name="Height"
        value={newest === undefined ? '–' : grouped(newest.header.number)}
        note={newest === undefined ? 'no block yet' : <Age timestamp={newest.header.timestamp} />}
      />
      <Gauge
        name="Block time"
        value={blockSeconds === undefined ? '–' : `${decimal(blockSeconds, blockSeconds < 1 ? 2 : 1)}\u202fs`}
        note="between two blocks"
      />
      <Gauge
        name="Operations"
        value={decimal(operations, operations < 10 ? 1 : 0)}
        note="a second, over ten"
        picture={<OperationsChart />}
      />
      <Gauge
        name="Pool"
        value={status === undefined ? '–' : grouped(status.pending)}
        note={<a href={linkTo({ view: 'pool' })}>waiting operations</a>}
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
  const peers = `${status.peers} ${status.peers === 1 ? 'peer' : 'peers'}`;
  if (status.isWell) return { value: 'Well', note: peers, tone: 'good' };
  return { value: 'Not well', note: status.problems.join('; ') || peers, tone: 'bad' };
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
