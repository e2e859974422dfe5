import { LedgerdError } from '../../protocol/index.ts';

/** What a subscriber has not been told is not there any more. */
export class MissedError extends LedgerdError {
  override readonly code = 'MISSED';
}

/** How far a subscription has come in what its feed tells: a place, never the things themselves. */
export interface Reader {
  /**
   * What is to be told next, as the bytes of JSON; undefined while there is nothing more. Each thing comes once, and in
   * order.
   *
   * @throws MissedError when something cannot be told any more, LimitError when it is too long
   */
  next(): Uint8Array | undefined;
  close(): void;
}

/** What those are told who have subscribed to the same: made into text once for all of them. */
export interface Feed {
  /** Begins to read behind what there is now. */
  open(): Reader;
}
