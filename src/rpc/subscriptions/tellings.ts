import type { Ledger, LogQuery } from '../../ledger/index.ts';
import { NOTIFICATIONS_CHARACTERS_MAX, REMOVED_LOGS_MAX } from '../../limits.ts';
import type { Hash } from '../../protocol/index.ts';
import type { LogMatch } from '../parameters/log-options.ts';
import type { BlockTelling } from './block-feed.ts';
import { MissedError } from './feed.ts';
import { blockAt, type SubscriptionView } from './subscription-view.ts';

function tooLong(block: number): MissedError {
  return new MissedError(
    `the receipts of block ${block} have more than ${NOTIFICATIONS_CHARACTERS_MAX} characters: ` +
      'ask eth_getBlockReceipts for them',
  );
}

/** Each block, without its transactions. */
export function headTelling(view: SubscriptionView): BlockTelling {
  return { itemsOf: (block) => [view.header(block)] };
}

/** The logs that match, one by one; those of a block that vanishes once more, as removed. */
export function logTelling(ledger: Ledger, view: SubscriptionView, match: LogMatch): BlockTelling {
  const find = (fromBlock: number, toBlock: number, most: number) => {
    const query: LogQuery = { fromBlock, toBlock, addresses: match.addresses, topics: match.topics };
    return ledger.logs(query, most);
  };
  return {
    itemsOf: (block) => view.logs(find(block, block, Number.POSITIVE_INFINITY).logs, false),
    vanishing: (first, last) => {
      const { logs, complete } = find(first, last, REMOVED_LOGS_MAX);
      if (!complete) return undefined;
      const texts = view.logs(logs, true);
      const byBlock = new Map<number, string[]>();
      for (const [position, { block }] of logs.entries()) {
        const known = byBlock.get(block.number) ?? [];
        byBlock.set(block.number, known);
        const text = texts[position];
        if (text !== undefined) known.push(text);
      }
      return byBlock;
    },
  };
}

/** The receipts of each block that has any, or those of certain transactions. */
export function receiptTelling(
  ledger: Ledger,
  view: SubscriptionView,
  hashes: readonly Hash[],
): BlockTelling {
  const indexesOf = (block: number, count: number): number[] => {
    if (hashes.length === 0) return Array.from({ length: count }, (_, index) => index);
    return hashes
      .map((hash) => ledger.findOperation(hash))
      .flatMap((found) => (found?.kind === 'included' && found.block.number === block ? [found.index] : []))
      .sort((one, other) => one - other);
  };
  return {
    itemsOf: (block) => {
      const { operationCount } = blockAt(ledger, block);
      if (operationCount === 0) return [];
      const receipts: string[] = [];
      let characters = 0;
      for (const index of indexesOf(block, operationCount)) {
        const receipt = view.receipt(block, index);
        characters += receipt.length;
        if (characters > NOTIFICATIONS_CHARACTERS_MAX) throw tooLong(block);
        receipts.push(receipt);
      }
      return receipts.length === 0 ? [] : [`[${receipts.join(',')}]`];
    },
  };
}
