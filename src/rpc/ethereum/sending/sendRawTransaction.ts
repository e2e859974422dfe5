import { SEND_WAIT_MS_DEFAULT } from '../../../limits.ts';
import { data, ethereumReceiptShape, hashShape, quantity } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { WAIT_PARAMETER } from '../../transactions/inclusion.ts';
import { sendOrForward } from '../../transactions/send-or-forward.ts';
import { ethereumReceiptAfter } from './receipt-after.ts';
import { checkRaw, submitRaw } from './submit-raw.ts';

const TRANSACTION_PARAMETER = {
  name: 'transaction',
  schema: dataSchema,
  summary: 'A signed transaction of type 0, 1 or 2.',
} as const;

const SENDING_ERRORS = [
  ERRORS.transactionRefused,
  ERRORS.nonceTooLow,
  ERRORS.alreadyKnown,
  ERRORS.replacementUnderpriced,
  ERRORS.insufficientFunds,
  ERRORS.feeTooLow,
  ERRORS.typeNotSupported,
  ERRORS.transactionLimit,
  ERRORS.pendingPoolFull,
  ERRORS.takesNoTransactions,
  ERRORS.writesPaused,
  ERRORS.outcomeUnknown,
  ERRORS.tooManyForwarded,
];

export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Sends a signed transaction and answers its hash.',
  section: 'blocks',
  work: 'send',
  parameters: [TRANSACTION_PARAMETER],
  result: hashShape,
  errors: SENDING_ERRORS,
  differences: 'Types 3 and 4 are refused.',
  handler: (context, [bytes], caller) =>
    sendOrForward(context, caller, {
      profile: 'ethereum',
      method: 'eth_sendRawTransaction',
      parameters: [data(bytes)],
      waitMs: 0,
      check: () => checkRaw(context, bytes),
      submit: () => data(submitRaw(context, bytes)),
    }),
});

export const sendRawTransactionSync = defineMethod({
  name: 'eth_sendRawTransactionSync',
  summary: 'Sends as `eth_sendRawTransaction` does, waits for the block and answers the receipt (EIP-7966).',
  section: 'blocks',
  work: 'send',
  parameters: [TRANSACTION_PARAMETER, WAIT_PARAMETER],
  result: ethereumReceiptShape,
  errors: [...SENDING_ERRORS, ERRORS.stillPending, ERRORS.transactionDropped],
  differences: 'Where no block comes in time `data` of the error is its hash.',
  handler: (context, [bytes, timeout], caller) =>
    sendOrForward(context, caller, {
      profile: 'ethereum',
      method: 'eth_sendRawTransactionSync',
      parameters: [data(bytes), quantity(timeout ?? SEND_WAIT_MS_DEFAULT)],
      waitMs: timeout ?? SEND_WAIT_MS_DEFAULT,
      check: () => checkRaw(context, bytes),
      submit: () => ethereumReceiptAfter(context, submitRaw(context, bytes), timeout),
    }),
});
