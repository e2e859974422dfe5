import type { Time } from '../../time.ts';
import { quantity } from '../../view/index.ts';
import type { NodeStatus, SyncStatus } from '../context/node-status.ts';

/** Milliseconds between two checks of whether the node is catching up with others. */
const SYNC_CHECK_MS = 1_000;

/** Appends a notification whenever the node begins, and ends, to catch up with others, until it is stopped. */
export function followSyncState(
  nodeStatus: NodeStatus,
  time: Time,
  append: (texts: readonly string[]) => void,
): () => void {
  let wasSyncing = nodeStatus.syncing() !== undefined;
  return time.every(SYNC_CHECK_MS, () => {
    const status = nodeStatus.syncing();
    const isSyncing = status !== undefined;
    if (isSyncing !== wasSyncing) append([textOf(status)]);
    wasSyncing = isSyncing;
  });
}

function textOf(status: SyncStatus | undefined): string {
  if (status === undefined) return 'false';
  const { startingBlock, currentBlock, highestBlock } = status;
  return JSON.stringify({
    syncing: true,
    status: {
      startingBlock: quantity(startingBlock),
      currentBlock: quantity(currentBlock),
      highestBlock: quantity(highestBlock),
    },
  });
}
