import type { IncludedOperation, LedgerQueries } from '../../../ledger/index.ts';
import {
  type Address,
  carriedTransaction,
  equalBytes,
  isEthereumTransaction,
  type Operation,
} from '../../../protocol/index.ts';
import { ethereumTransactionShape, nullableShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';
import { includedEthereumTransaction, transactionObject } from '../block-lookups.ts';

export const getTransactionBySenderAndNonce = defineMethod({
  name: 'eth_getTransactionBySenderAndNonce',
  summary:
    'Answers the transaction of an address with a nonce, in a block or pending; null when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [
    { name: 'sender', schema: addressSchema },
    { name: 'nonce', schema: uint64Schema },
  ],
  result: nullableShape(ethereumTransactionShape),
  errors: [ERRORS.stateNotKept],
  differences:
    'Found in blocks whose state is kept. Native operations have no nonce, and are not found by it.',
  handler: (context, [sender, nonce]) => {
    const { ledger } = context;
    const isMeant = (operation: Operation): boolean => isOf(operation, sender, nonce);
    if (nonce >= ledger.nonceOf(sender)) {
      const waiting = [...ledger.pendingOperations(), ...ledger.queuedTransactions()];
      const found = waiting.find(({ operation }) => isMeant(operation));
      return found === undefined ? null : transactionObject(context, found);
    }
    const found = ledger
      .blockTransactions(blockWith(ledger, sender, nonce))
      .find(({ operation }: IncludedOperation) => isMeant(operation));
    return found === undefined ? null : includedEthereumTransaction(context, found);
  },
});

/** The first block after which the nonce of an address is beyond one, by halving. @throws RequestFailedError */
function blockWith(ledger: LedgerQueries, sender: Address, nonce: bigint): number {
  let low = ledger.oldestKept;
  let high = ledger.head().number;
  if (ledger.stateBefore(low + 1).nonceOf(sender) > nonce) {
    throw new RequestFailedError(
      `missing trie node: the state of blocks before ${low} is not kept (--undo-blocks)`,
    );
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (ledger.stateBefore(middle + 1).nonceOf(sender) > nonce) high = middle;
    else low = middle;
  }
  return high;
}

function isOf(operation: Operation, sender: Address, nonce: bigint): boolean {
  if (!isEthereumTransaction(operation)) return false;
  return equalBytes(operation.sender, sender) && carriedTransaction(operation).nonce === nonce;
}
