import { type BlockId, equalBytes, FormatError, invariant } from '../../../protocol/index.ts';
import { type EntryHead, type EntryMessage, headOf, messagesOf } from './entry.ts';

/** A block on its way into the log. */
export interface Appended {
  readonly head: EntryHead;
  readonly bytes: Uint8Array;
  readonly messages: readonly [EntryMessage, ...EntryMessage[]];
}

/**
 * A serialized block as a log takes it.
 *
 * @param parent what its parent has to be; undefined for whatever it says
 * @throws FormatError for bytes that are no block
 */
export function appendedOf(number: number, parent: BlockId | undefined, bytes: Uint8Array): Appended {
  const head = headOf(bytes);
  if (head instanceof FormatError) throw head;
  if (head instanceof Error) throw new FormatError('block', head.message, { cause: head });
  invariant(
    head.number === number && (parent === undefined || equalBytes(head.parent, parent)),
    'a block has its number and its parent',
  );
  return { head, bytes, messages: messagesOf(number, bytes) };
}
