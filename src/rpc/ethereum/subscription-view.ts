import { invariant } from '../../protocol/index.ts';
import {
  blockAt,
  commonView,
  type SubscriptionContext,
  type SubscriptionView,
} from '../subscriptions/subscription-view.ts';
import {
  ethereumHeaderOf,
  ethereumReceiptOf,
  includedEthereumTransaction,
  transactionObject,
} from './block-lookups.ts';
import { ethereumFilterView } from './filter-view.ts';

/** How subscribers at `/ethereum` are shown what happens. */
export function ethereumSubscriptionView(context: SubscriptionContext): SubscriptionView {
  const { ledger } = context;
  return {
    ...commonView(ethereumFilterView(ledger)),
    header: (number) => JSON.stringify(ethereumHeaderOf(context, blockAt(ledger, number))),
    receipt: (number, index) => {
      const operation = ledger.operationAt(number, index);
      invariant(operation !== undefined, 'a block has as many operations as it says');
      const receipt = ethereumReceiptOf(context, operation);
      invariant(receipt !== null, 'every operation of a block has a receipt');
      return receipt.text;
    },
    acceptedTransaction: (hash) => {
      const found = ledger.findOperation(hash);
      if (found === undefined) return undefined;
      return found.kind === 'included'
        ? includedEthereumTransaction(context, found).text
        : JSON.stringify(transactionObject(context, found));
    },
  };
}
