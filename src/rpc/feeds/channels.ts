import { toLog } from '../../formatters/index.ts';
import type { BlockSummary, IncludedOperation, Ledger } from '../../ledger/index.ts';
import { type Hash, invariant } from '../../protocol/index.ts';
import { operationsIn } from '../blocks/block-operations.ts';
import { ResponseBody } from '../json/response-body.ts';
import { type BlockRange, spanOf } from '../logs/find-logs.ts';
import type { FeedContext } from '../method-context.ts';
import type { LogMatch } from '../parameters/log-options.ts';
import { type ChannelSource, MissedEventsError } from './feed.ts';
import type { JournalFeed } from './journal-feed.ts';

/** Event logs of one reorg that a subscriber is notified of. */
const REMOVED_LOGS_MAX = 10_000;
/** Characters of block notifications that are stored for slow subscribers (8 MiB). */
export const NOTIFICATIONS_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Notifies of the header of each block. */
export function headers(context: FeedContext): ChannelSource {
  return { textsOf: (block) => [jsonOf(context.objects.header(context, blockAt(context.ledger, block)))] };
}

/** Notifies of each matching log in a range of blocks, and of its removal if its block is reverted. */
export function logs(
  { ledger, objects }: FeedContext,
  { addresses, topics }: LogMatch,
  range: BlockRange = { from: 0n, to: undefined },
): ChannelSource {
  const find = (first: number, last: number, max: number, removed: boolean) => {
    const span = spanOf(range, first, last);
    if (span === undefined) return [];
    const found = ledger.blocks.logs({ ...span, addresses, topics }, max);
    if (!found.complete) return undefined;
    return objects.logs(ledger, found.logs).map((log) => ({
      event: log.block.number,
      text: JSON.stringify({ ...toLog(log), removed }),
    }));
  };
  return {
    textsOf: (block) => {
      const found = find(block, block, Number.POSITIVE_INFINITY, false);
      if (found === undefined)
        throw new MissedEventsError(`the search for the logs of block ${block} exceeds its limit`);
      return found.map(({ text }) => text);
    },
    revocationsOf: (first, last) => find(first, last, REMOVED_LOGS_MAX, true),
  };
}

/** Notifies of the receipts of each block in one array, or of those of given transactions. */
export function receipts(context: FeedContext, hashes: readonly Hash[]): ChannelSource {
  const { ledger, objects } = context;
  const chosenIn = (block: BlockSummary): IncludedOperation[] =>
    hashes
      .map((hash) => ledger.pool.findOperation(hash))
      .filter((found) => found?.kind === 'included')
      .filter((found) => found.block.number === block.number)
      .sort((one, other) => one.index - other.index);
  return {
    textsOf: (number) => {
      const block = blockAt(ledger, number);
      const texts: string[] = [];
      let characters = 0;
      for (const operation of hashes.length === 0 ? operationsIn(ledger, block) : chosenIn(block)) {
        const text = objects.receipt(context, operation)?.text;
        invariant(text !== undefined, 'every operation of a block has a receipt');
        characters += text.length;
        if (characters > NOTIFICATIONS_CHARACTERS_MAX) throw tooLong(number);
        texts.push(text);
      }
      return texts.length === 0 ? [] : [`[${texts.join(',')}]`];
    },
  };
}

/** Notifies of accepted transactions: of their hashes, or of their present objects. */
export function acceptedTransactions(
  context: FeedContext,
  feed: JournalFeed<Hash>,
  isFull: boolean,
): ChannelSource {
  const { ledger, objects } = context;
  const objectOf = (hash: Hash): object | string | undefined => {
    if (!isFull) return objects.acceptedHash(ledger, hash);
    const found = ledger.pool.findOperation(hash);
    if (found?.kind === 'included') return objects.transaction(context, found);
    return found && objects.pendingTransaction(context, found);
  };
  return {
    textsOf: (event) => {
      const transactions = feed.from(event, 1).map(objectOf);
      return transactions.flatMap((transaction) => (transaction === undefined ? [] : [jsonOf(transaction)]));
    },
  };
}

function blockAt(ledger: Ledger, number: number): BlockSummary {
  const block = ledger.blocks.blockByNumber(number);
  invariant(block !== undefined, 'every block up to the head exists');
  return block;
}

function jsonOf(value: object | string): string {
  return value instanceof ResponseBody ? value.text : JSON.stringify(value);
}

function tooLong(block: number): MissedEventsError {
  return new MissedEventsError(
    `the receipts of block ${block} have more than ${NOTIFICATIONS_CHARACTERS_MAX} characters: ` +
      'call eth_getBlockReceipts',
  );
}
