import { toEthereumHeader } from '../../view/index.ts';
import { ethereumFilterView } from '../answers/ethereum-filter-view.ts';
import {
  ethereumReceiptOf,
  includedEthereumTransaction,
  transactionObject,
} from '../answers/ethereum-objects.ts';
import { type SubscriptionContext, subscriptionView } from '../answers/subscription-views.ts';
import { stepped } from '../json/text-steps.ts';
import type { SubscriptionView } from '../subscriptions/subscription-view.ts';

/** How subscribers at `/ethereum` are shown what happens. */
export function ethereumSubscriptionView(context: SubscriptionContext): SubscriptionView {
  return subscriptionView(context.ledger, {
    filters: ethereumFilterView(context.ledger),
    header: (block) => {
      const { ledger, blockFacts } = context;
      return toEthereumHeader(block, stepped(blockFacts.factSteps(ledger, block)), ledger.rules);
    },
    receipt: (operation) => ethereumReceiptOf(context, operation),
    included: (operation) => includedEthereumTransaction(context, operation),
    waiting: (operation) => transactionObject(context, operation),
  });
}
