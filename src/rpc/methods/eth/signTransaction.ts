import { dataShape } from '../../../view/index.ts';
import { rawTransaction } from '../../answers/raw-transaction.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { COMPOSITION_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { sendMessage } from '../../transactions/call-messages.ts';

export const signTransaction = defineMethod({
  name: 'eth_signTransaction',
  summary: 'Signs a transaction with the key of an unlocked account and answers its bytes; nothing is sent.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.accountLocked, ...COMPOSITION_ERRORS],
  differences:
    'A signed native transaction, as `eth_sendRawTransaction` takes it for 60 s after the latest block.',
  handler: (context, [request]) => rawTransaction(context.wallet.sign(sendMessage(request, context))),
});
