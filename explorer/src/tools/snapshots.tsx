import { useState } from 'preact/hooks';
import { fieldsOf, listOf, numberOf, textOf } from '../client/reading.ts';
import { call } from '../client/rpc.ts';
import { SHOWN_SNAPSHOTS_MAX } from '../limits.ts';
import { chainReorgCount } from '../live/feed.ts';
import { Section } from '../parts/layout.tsx';
import { BlockLink } from '../parts/links.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { ActionForm } from './action-form.tsx';

/** A point that the chain can be reverted to. */
interface Snapshot {
  readonly id: string;
  readonly block: number;
}

/** Takes, lists and reverts to snapshots. */
export function SnapshotsTool() {
  const [round, setRound] = useState(0);
  const [told, setTold] = useState('');
  const loaded = useLoaded(`snapshots ${round}`, readSnapshots);
  const take = async () => {
    const id = textOf(await call('evm_snapshot'));
    setRound((count) => count + 1);
    return <p>Taken: {id}</p>;
  };
  const revert = async (id: string): Promise<void> => {
    try {
      const isBack = (await call('evm_revert', id)) === true;
      setTold(isBack ? `The chain is back at snapshot ${id}.` : `Snapshot ${id} no longer exists.`);
    } catch (error) {
      setTold(error instanceof Error ? error.message : String(error));
    }
    // The node reports reverted blocks only by the blocks that follow.
    chainReorgCount.value += 1;
    setRound((count) => count + 1);
  };
  const columns: readonly Column<Snapshot>[] = [
    { title: 'Snapshot', cell: ({ id }) => <span class="mono">{id}</span> },
    { title: 'Block', cell: ({ block }) => <BlockLink number={block} />, isNumber: true },
    {
      title: 'Back',
      cell: ({ id }) => (
        <button type="button" class="button" aria-label={`Revert to ${id}`} onClick={() => void revert(id)}>
          Revert
        </button>
      ),
    },
  ];
  return (
    <Section title="Snapshots" note="going back takes later ones away">
      <ActionForm action="Take a snapshot" run={take} />
      <p role="status" class={told === '' ? 'hidden' : 'told'}>
        {told}
      </p>
      <Show loaded={loaded} what="the snapshots">
        {(snapshots) =>
          snapshots.length === 0 ? (
            <Empty>There is none.</Empty>
          ) : (
            <Table
              caption="Snapshots"
              columns={columns}
              rows={snapshots.slice(0, SHOWN_SNAPSHOTS_MAX)}
              keyOf={({ id }) => id}
            />
          )
        }
      </Show>
    </Section>
  );
}

/** Those that there are, the newest first. */
async function readSnapshots(): Promise<readonly Snapshot[]> {
  const { snapshots } = fieldsOf(await call('hardhat_metadata'));
  return Object.entries(fieldsOf(snapshots ?? {}))
    .map(([id, place]) => ({ id, block: numberOf(listOf(place)[0]) }))
    .sort((left, right) => Number(right.id) - Number(left.id));
}
