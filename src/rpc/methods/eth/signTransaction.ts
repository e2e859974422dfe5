import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { rawTransaction } from '../../raw-transaction.ts';
import { sendMessage } from '../../requests.ts';
import { dataResult } from '../../schemas/results.ts';
import { sendRequestSchema } from '../../schemas/transaction.ts';
import { PREPARING_ERRORS } from '../../sending.ts';

export const signTransaction = defineTestMethod({
  name: 'eth_signTransaction',
  summary: 'Signs a transaction with the key of an unlocked account and answers its bytes; nothing is sent.',
  section: 'testMode',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: dataResult,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked, ...PREPARING_ERRORS],
  differences:
    'A signed native transaction, as `eth_sendRawTransaction` takes it for 60 s after the latest block.',
  handler: (context, request) => rawTransaction(context.wallet.sign(sendMessage(request, context))),
});
