import { data } from '../../../view/index.ts';
import { defineTestMethod } from '../../method.ts';
import { sendMessage } from '../../requests.ts';
import { hashResult } from '../../schemas/results.ts';
import { sendRequestSchema } from '../../schemas/transaction.ts';

export const sendTransaction = defineTestMethod({
  name: 'eth_sendTransaction',
  summary: 'Signs a transaction with the key of an unlocked account, sends it and answers its hash.',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: hashResult,
  handler: (context, request) => data(context.wallet.send(sendMessage(request, context))),
});
