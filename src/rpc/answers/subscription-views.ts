import type { BlockSummary, IncludedOperation, Ledger, PendingOperation } from '../../ledger/index.ts';
import { invariant } from '../../protocol/index.ts';
import { toHeader, toTransaction } from '../../view/index.ts';
import { type FilterView, LEDGER_FILTER_VIEW } from '../filters/filter.ts';
import type { ResponseBody } from '../json/response-body.ts';
import type { QueryContext } from '../method-context.ts';
import { blockAt, type SubscriptionView } from '../subscriptions/subscription-view.ts';
import { includedReceipt, includedTransaction } from './ledger-objects.ts';

/** What is shown of: the chain, and what waits. */
export interface SubscriptionContext extends QueryContext {
  readonly ledger: Ledger;
}

/** What the profiles show differently. */
export interface SubscriptionShapes {
  readonly filters: FilterView;
  header(block: BlockSummary): unknown;
  receipt(operation: IncludedOperation): ResponseBody | null;
  included(operation: IncludedOperation): ResponseBody;
  waiting(operation: PendingOperation): unknown;
}

/** The view of a profile. */
export function subscriptionView(ledger: Ledger, shapes: SubscriptionShapes): SubscriptionView {
  return {
    header: (number) => JSON.stringify(shapes.header(blockAt(ledger, number))),
    logs: (logs, removed) =>
      shapes.filters.logObjects(logs).map((log) => JSON.stringify({ ...log, removed })),
    receipt: (number, index) => {
      const operation = ledger.operationAt(number, index);
      invariant(operation !== undefined, 'a block has as many operations as it says');
      const receipt = shapes.receipt(operation);
      invariant(receipt !== null, 'every operation of a block has a receipt');
      return receipt.text;
    },
    acceptedHash: (hash) => {
      const [shown] = shapes.filters.acceptedHashes([hash]);
      return shown === undefined ? undefined : JSON.stringify(shown);
    },
    acceptedTransaction: (hash) => {
      const found = ledger.findOperation(hash);
      if (found === undefined) return undefined;
      return found.kind === 'included' ? shapes.included(found).text : JSON.stringify(shapes.waiting(found));
    },
  };
}

/** The view of the ledger's own interface. */
export function ledgerSubscriptionView(context: SubscriptionContext): SubscriptionView {
  return subscriptionView(context.ledger, {
    filters: LEDGER_FILTER_VIEW,
    header: toHeader,
    receipt: (operation) => includedReceipt(context, operation),
    included: (operation) => includedTransaction(context, operation),
    waiting: toTransaction,
  });
}
