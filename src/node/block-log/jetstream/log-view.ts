import { type BlockId, equalBytes } from '../../../protocol/index.ts';
import type { EntryHead } from './entry.ts';

/**
 * A log as far as it was looked at. What its blocks are follows from its messages alone: an entry is the next block if
 * it has the next number and names the last block as its parent; every other entry is passed over.
 */
export interface LogView {
  /** The last block. */
  readonly number: number;
  readonly id: BlockId;
  /** The last message that was looked at. */
  readonly sequence: number;
}

/** Whether an entry is the next block. */
export function extendsView(view: Pick<LogView, 'number' | 'id'>, entry: EntryHead): boolean {
  return entry.number === view.number + 1 && equalBytes(entry.parent, view.id);
}

/** The view with one more entry, which ends at a message. */
export function viewWith(view: LogView, entry: EntryHead, sequence: number): LogView {
  if (!extendsView(view, entry)) return { ...view, sequence };
  return { number: entry.number, id: entry.id, sequence };
}
