import type { TreeLine } from '../contracts/index.ts';
import type { BlockSummary, DroppedTransaction } from '../ledger/index.ts';
import type { Hash } from '../protocol/index.ts';
import type { Migration } from '../store/index.ts';
import type { Stopwatch } from '../time.ts';
import type { NodeNotice } from './notices.ts';

/** Milliseconds between two progress notices of a migration. */
const MIGRATION_NOTICE_MS = 5_000;

/** Makes notices of a store's migration: one every few seconds while it goes on, and one when it is done. */
export function migrationNotices(events: NodeEvents, time: Stopwatch): (migration: Migration) => void {
  let told = time.now();
  return (migration) => {
    if (migration.isDone) events.onNotice?.({ kind: 'storeMigrated', migration });
    else if (time.now() - told >= MIGRATION_NOTICE_MS) {
      told = time.now();
      events.onNotice?.({ kind: 'storeMigrating', migration });
    }
  };
}

/** Code that failed, with its calls. */
export interface FailedExecution {
  /** The included transaction; undefined for a call or an estimate. */
  readonly transaction: { readonly hash: Hash; readonly block: number } | undefined;
  readonly lines: readonly TreeLine[];
}

/** Notifications of a running node. No listener may throw. */
export interface NodeEvents {
  onBlock?(block: BlockSummary): void;
  onDropped?(dropped: DroppedTransaction): void;
  /** A call failed; the message is the caller's. */
  onFailedCall?(method: string, message: string): void;
  /** Code wrote to the console; a text for each line. Test mode only. */
  onConsole?(lines: readonly string[]): void;
  /** A transaction, a call or an estimate failed in its code: its calls. Test mode only. */
  onFailedExecution?(failed: FailedExecution): void;
  /** The node itself failed, in the named method or task; the error is for the operator alone. */
  onInternalFailure?(task: string, error: unknown): void;
  onNotice?(notice: NodeNotice): void;
  /** The disk failed in the middle of a commit: the process has to end, and nothing is written until it does. */
  onDiskFailure?(error: Error): void;
}

/** Returns events of which those of blocks and calls can be switched off. */
export function switchableLog(events: NodeEvents): {
  readonly events: NodeEvents;
  readonly setLogging: (isOn: boolean) => void;
  readonly isLogging: () => boolean;
} {
  let isOn = true;
  return {
    events: {
      ...events,
      onBlock: (block) => isOn && events.onBlock?.(block),
      onDropped: (dropped) => isOn && events.onDropped?.(dropped),
      onFailedCall: (method, message) => isOn && events.onFailedCall?.(method, message),
    },
    isLogging: () => isOn,
    setLogging: (next) => {
      isOn = next;
    },
  };
}
