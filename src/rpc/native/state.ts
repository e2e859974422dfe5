import type { IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { type Address, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { defineMethod, type MethodDefinition } from '../method.ts';
import { codeMethod } from '../methods/eth/account-state.ts';
import { BLOCK_CHOICES } from '../methods/eth/block-choice.ts';
import { blockMethod, COUNT_BY_NUMBER, operationCount } from '../methods/eth/blocks.ts';
import { callMethod } from '../methods/eth/calls.ts';
import { storageValuesMethod } from '../methods/eth/storage.ts';
import { byNonceMethod } from '../methods/eth/transactions.ts';
import { hashByNonceMethod } from '../methods/ots/transactions.ts';
import { flagSchema } from '../parameters/plain.ts';
import { createAccessList, estimateGas } from './estimates.ts';
import { NATIVE_PROFILE } from './native-profile.ts';

const getBlockTransactionCountByNumber = defineMethod({
  ...COUNT_BY_NUMBER,
  summary:
    'Counts the operations of a block, or with `pending` of the pending transactions; null beyond the head.',
  section: 'state',
  scheduling: 'turn',
  differences:
    'One operation of a native transaction counts as one transaction; `pending` counts the pending ' +
    'pool. `safe` and `finalized` are `latest`.',
  handler: ({ ledger }, [selector]) =>
    selector === 'pending'
      ? quantity(ledger.pool.pendingOperations().length)
      : operationCount(ledger, selector),
});

/** Returns the operation before which an address had paid for so many. @throws HistoryDisabledError */
function paidOperation(
  { blocks }: LedgerQueries,
  sender: Address,
  count: bigint,
): IncludedOperation | undefined {
  // No count of what is stored is greater.
  return blocks.paidOperation(sender, Number(count));
}

/** The queries of the state and of transactions that differ: they read the head alone. */
export const NATIVE_STATE_METHODS: readonly MethodDefinition[] = [
  codeMethod(NATIVE_PROFILE, (code) => (code.length === 0 ? '' : toPrefixedHex(code))),
  estimateGas,
  createAccessList,
  getBlockTransactionCountByNumber,
  ...BLOCK_CHOICES.map((choice) => blockMethod(choice, flagSchema)),
  storageValuesMethod(NATIVE_PROFILE, true),
  callMethod(NATIVE_PROFILE, (reason) => reason),
  byNonceMethod(paidOperation, () => undefined),
  hashByNonceMethod(paidOperation),
];
