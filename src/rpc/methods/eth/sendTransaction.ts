import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { sendMessage } from '../../requests.ts';
import { hashResult } from '../../schemas/results.ts';
import { sendRequestSchema } from '../../schemas/transaction.ts';

export const sendTransaction = defineTestMethod({
  name: 'eth_sendTransaction',
  summary: 'Signs a transaction with the key of an unlocked account, sends it and answers its hash.',
  section: 'testMode',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: hashResult,
  errors: [
    ERRORS.unknownAccount,
    ERRORS.accountLocked,
    ERRORS.executionReverted,
    ERRORS.executionHalted,
    ERRORS.gasRequired,
    ERRORS.insufficientFunds,
    ERRORS.unknownReceiver,
    ERRORS.transferWithData,
    ERRORS.transactionRefused,
    ERRORS.pendingPoolFull,
    ERRORS.takesNoTransactions,
    ERRORS.writesPaused,
  ],
  differences:
    '`gas` is the most that may be charged. To an account it is a transfer and must not carry data; ' +
    'a receiver that does not exist is refused. Fields for prices and nonces have no effect.',
  handler: (context, request) => data(context.wallet.send(sendMessage(request, context))),
});
