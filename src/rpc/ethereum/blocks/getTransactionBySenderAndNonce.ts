import { type Address, equalBytes, isEthereumTransaction, type Operation } from '../../../protocol/index.ts';
import { ethereumTransactionShape, nullableShape } from '../../../view/index.ts';
import { includedEthereumTransaction, transactionObject } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import { addressSchema } from '../../parameters/bytes.ts';
import { uint64Schema } from '../../parameters/quantity.ts';

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
  differences: 'Native operations have no nonce, and are not found by it.',
  handler: (context, [sender, nonce]) => {
    const { ledger } = context;
    const included = ledger.operationOfSender(sender, nonce);
    if (included !== undefined) return includedEthereumTransaction(context, included);
    const waiting = [...ledger.pendingOperations(), ...ledger.queuedOperations()];
    const found = waiting.find(({ operation }) => isOf(operation, sender, nonce));
    return found === undefined ? null : transactionObject(context, found);
  },
});

function isOf(operation: Operation, sender: Address, nonce: bigint): boolean {
  if (!isEthereumTransaction(operation)) return false;
  return equalBytes(operation.sender, sender) && operation.innerTransaction.nonce === nonce;
}
