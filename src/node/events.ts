import type { TreeLine } from '../contracts/index.ts';
import type { BlockSummary, DroppedTransaction } from '../ledger/index.ts';
import type { Hash } from '../protocol/index.ts';
import type { Migration } from '../store/index.ts';
import type { Stopwatch } from '../time.ts';
import type { NodeNotice } from './notices.ts';

/** Milliseconds between two progress notices of a migration. */
const MIGRATION_NOTICE_MS = 5_000;

/** Reports a store's migration by notices: one every few seconds, and one at the end. */
export function migrationNotices(events: NodeEvents, time: Stopwatch): (migration: Migration) => void {
  let reportedAt = time.now();
  return (migration) => {
    if (migration.isDone) events.onNotice?.({ kind: 'storeMigrated', migration });
    else if (time.now() - reportedAt >= MIGRATION_NOTICE_MS) {
      reportedAt = time.now();
      events.onNotice?.({ kind: 'storeMigrating', migration });
    }
  };
}

/** A failed execution with its call tree. */
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
  /** A contract logged to the console; a text for each line. Test mode only. */
  onConsole?(lines: readonly string[]): void;
  /** A contract failed in a transaction, a call or an estimate. Test mode only. */
  onFailedExecution?(failed: FailedExecution): void;
  /** The node itself failed, in the named method or task. The error is for the operator only. */
  onInternalFailure?(task: string, error: unknown): void;
  onNotice?(notice: NodeNotice): void;
  /** The disk failed during a commit. The process must exit; nothing more is written. */
  onDiskFailure?(error: Error): void;
}

/** Wraps events so that those of blocks and calls can be switched off. */
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
