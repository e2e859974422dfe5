import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { sendMessage } from '../../requests.ts';
import { hashResult, receiptResult } from '../../schemas/results.ts';
import { sendRequestSchema } from '../../schemas/transaction.ts';
import {
  PREPARING_ERRORS,
  receiptAfter,
  SUBMITTING_ERRORS,
  WAIT_ERRORS,
  WAIT_PARAMETER,
} from '../../sending.ts';

const SEND_ERRORS = [
  ERRORS.unknownAccount,
  ERRORS.accountLocked,
  ...PREPARING_ERRORS,
  ...SUBMITTING_ERRORS,
] as const;

export const sendTransaction = defineTestMethod({
  name: 'eth_sendTransaction',
  summary: 'Signs a transaction with the key of an unlocked account, sends it and answers its hash.',
  section: 'testMode',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: hashResult,
  errors: SEND_ERRORS,
  differences:
    '`gas` is the most that may be charged. To an account it is a transfer and must not carry data; ' +
    'a receiver that does not exist is refused. Fields for prices and nonces have no effect.',
  handler: (context, request) => data(context.wallet.send(sendMessage(request, context))),
});

export const sendTransactionSync = defineTestMethod({
  name: 'eth_sendTransactionSync',
  summary: 'Sends as `eth_sendTransaction` does, waits for the block and answers the receipt.',
  section: 'testMode',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }, WAIT_PARAMETER],
  result: receiptResult,
  errors: [...SEND_ERRORS, ...WAIT_ERRORS],
  differences: 'As `eth_sendTransaction`. Where no block comes in time `data` of the error is the hash.',
  handler: (context, request, timeout) =>
    receiptAfter(context, context.wallet.send(sendMessage(request, context)), timeout),
});
