import { rlpItemAt } from './rlp-reader.ts';

/** Types of transactions that have an envelope (EIP-2718): access list, dynamic fee, blobs, set code. */
const LAST_TYPE = 4;
/** Items of a transaction's list: an unsigned legacy one has the fewest, a signed one with blobs the most. */
const FEWEST_ITEMS = 6;
const MOST_ITEMS = 14;

/**
 * Names the kind of Ethereum transaction that bytes are by their structure, to say what is wrong with one that is not
 * accepted: one RLP list of single items up to the last byte, after the type where there is one.
 *
 * @returns undefined for bytes that are none
 */
export function ethereumTransactionKind(bytes: Uint8Array): string | undefined {
  const [type = 0] = bytes;
  const hasEnvelope = type >= 1 && type <= LAST_TYPE;
  const list = rlpItemAt(bytes, hasEnvelope ? 1 : 0);
  if (!list.isList || list.end !== bytes.length) return undefined;
  let items = 0;
  for (let offset = list.start; offset < list.end; items += 1) {
    offset = rlpItemAt(bytes, offset).end;
    if (offset > list.end || items === MOST_ITEMS) return undefined;
  }
  if (items < FEWEST_ITEMS) return undefined;
  return hasEnvelope ? `type ${type}` : 'legacy';
}
