import { data, hashShape, receiptShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { COMPOSITION_ERRORS, SUBMISSION_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { sendMessage } from '../../transactions/call-messages.ts';
import { receiptAfter, WAIT_PARAMETER } from '../../transactions/inclusion.ts';

export const sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  summary: 'Sends a transaction of an unlocked account, or of an impersonated address, and answers its hash.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: hashShape,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked, ...COMPOSITION_ERRORS, ...SUBMISSION_ERRORS],
  differences:
    '`gas` is the most that may be charged. To an account it is a transfer and must not carry data; ' +
    'a receiver that does not exist is refused. Fields for prices and nonces have no effect. An impersonated address ' +
    'signs nothing and pays no fee.',
  handler: (context, [request]) => data(context.wallet.send(sendMessage(request, context))),
});

export const sendTransactionSync = defineMethod({
  name: 'eth_sendTransactionSync',
  summary: 'Sends as `eth_sendTransaction` does, waits for the block and answers the receipt.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }, WAIT_PARAMETER],
  result: receiptShape,
  errors: [
    ERRORS.unknownAccount,
    ERRORS.accountLocked,
    ...COMPOSITION_ERRORS,
    ...SUBMISSION_ERRORS,
    ERRORS.stillPending,
    ERRORS.transactionDropped,
  ],
  differences: 'As `eth_sendTransaction`. Where no block comes in time `data` of the error is the hash.',
  handler: (context, [request, timeout]) =>
    receiptAfter(context, context.wallet.send(sendMessage(request, context)), timeout),
});
