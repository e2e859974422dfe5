import { requireProtected } from '../../../ledger/index.ts';
import { SEND_WAIT_MS_DEFAULT } from '../../../limits.ts';
import type { Hash } from '../../../protocol/index.ts';
import { data, hashShape, quantity, receiptShape } from '../../../view/index.ts';
import { decodeTransaction } from '../../answers/raw-transaction.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { type Placed, placed } from '../../parameters/schema.ts';
import { receiptAfter, WAIT_PARAMETER } from '../../transactions/inclusion.ts';
import { sendOrForward } from '../../transactions/send-or-forward.ts';

const TRANSACTION_PARAMETER = {
  name: 'transaction',
  schema: placed(dataSchema),
  summary: 'A signed native transaction in its binary form.',
} as const;

const SENDING_ERRORS = [
  ERRORS.transactionRefused,
  ERRORS.alreadyKnown,
  ERRORS.insufficientFunds,
  ERRORS.transactionLimit,
  ERRORS.pendingPoolFull,
  ERRORS.takesNoTransactions,
  ERRORS.writesPaused,
  ERRORS.outcomeUnknown,
  ERRORS.tooManyForwarded,
];

/**
 * Submits the bytes of a signed native transaction; one of Ethereum's that it carries has to be one that `/ethereum`
 * takes.
 *
 * @returns the hash of its first operation
 * @throws LimitError, InvalidParametersError, RefusedError
 */
function submitNative({ ledger, allowUnprotected = false }: MethodContext, bytes: Placed<Uint8Array>): Hash {
  const transaction = decodeTransaction(bytes, ledger);
  if (ledger.knowsEthereum) requireProtected(transaction, { allowUnprotected });
  return ledger.submit(transaction).hash;
}

export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Sends a signed native transaction in its binary form and answers its hash.',
  section: 'blocks',
  work: 'send',
  parameters: [TRANSACTION_PARAMETER],
  result: hashShape,
  errors: SENDING_ERRORS,
  differences:
    "Takes a signed native transaction in its binary form; Ethereum's transactions are not accepted. " +
    'Of several operations the hash of the first is answered, in its included form where the ' +
    'transaction is in a block already.',
  handler: (context, [bytes], caller) =>
    sendOrForward(context, caller, {
      profile: 'ledger',
      method: 'eth_sendRawTransaction',
      parameters: [data(bytes.value)],
      waitMs: 0,
      check: () => decodeTransaction(bytes, context.ledger),
      submit: () => data(submitNative(context, bytes)),
    }),
});

export const sendRawTransactionSync = defineMethod({
  name: 'eth_sendRawTransactionSync',
  summary: 'Sends as `eth_sendRawTransaction` does, waits for the block and answers the receipt (EIP-7966).',
  section: 'blocks',
  work: 'send',
  parameters: [TRANSACTION_PARAMETER, WAIT_PARAMETER],
  result: receiptShape,
  errors: [...SENDING_ERRORS, ERRORS.stillPending, ERRORS.transactionDropped],
  differences:
    'Takes a signed native transaction. Where no block comes in time `data` of the error is its hash.',
  handler: (context, [bytes, timeout], caller) =>
    sendOrForward(context, caller, {
      profile: 'ledger',
      method: 'eth_sendRawTransactionSync',
      parameters: [data(bytes.value), quantity(timeout ?? SEND_WAIT_MS_DEFAULT)],
      waitMs: timeout ?? SEND_WAIT_MS_DEFAULT,
      check: () => decodeTransaction(bytes, context.ledger),
      submit: () => receiptAfter(context, submitNative(context, bytes), timeout),
    }),
});
