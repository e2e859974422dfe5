import type {
  BlockSummary,
  FoundLog,
  IncludedOperation,
  Ledger,
  LedgerQueries,
  PendingOperation,
} from '../../ledger/index.ts';
import { type Hash, invariant } from '../../protocol/index.ts';
import { toHeader, toTransaction } from '../../view/index.ts';
import { includedReceipt, includedTransaction } from '../answers/ledger-objects.ts';
import type { QueryContext } from '../context/method-context.ts';
import { type FilterView, LEDGER_FILTER_VIEW } from '../filters/filter.ts';
import type { JsonText } from '../json/json-text.ts';

/** What is shown of: the chain, and what waits. */
export interface SubscriptionContext extends QueryContext {
  readonly ledger: Ledger;
}

/** How subscribers of a profile are shown what happens; all of it is JSON text. */
export interface SubscriptionView {
  /** A block without its transactions. */
  header(block: number): string;
  logs(logs: readonly FoundLog[], removed: boolean): string[];
  /** The receipt of an operation in a block. */
  receipt(block: number, index: number): string;
  /** The hash of an accepted transaction; undefined where nobody could ask for it any more. */
  acceptedHash(hash: Hash): string | undefined;
  /** An accepted transaction, which may be in a block by now; undefined where it is gone. */
  acceptedTransaction(hash: Hash): string | undefined;
}

/** What the profiles show differently. */
export interface SubscriptionShapes {
  readonly filters: FilterView;
  header(block: BlockSummary): unknown;
  receipt(operation: IncludedOperation): JsonText | null;
  included(operation: IncludedOperation): JsonText;
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

/** A block that a reader has come to. */
export function blockAt(ledger: LedgerQueries, number: number): BlockSummary {
  const block = ledger.blockByNumber(number);
  invariant(block !== undefined, 'every block up to the head is there');
  return block;
}
