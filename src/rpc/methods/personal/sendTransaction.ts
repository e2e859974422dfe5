import { data, hashShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { COMPOSITION_ERRORS, SUBMISSION_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { passphraseSchema } from '../../parameters/plain.ts';
import { sendMessage } from '../../transactions/call-messages.ts';

export const sendTransactionWithPassphrase = defineMethod({
  name: 'personal_sendTransaction',
  summary: 'Sends a transaction of an account given its passphrase; a locked account stays locked.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'transaction', schema: sendRequestSchema },
    { name: 'passphrase', schema: passphraseSchema },
  ],
  result: hashShape,
  errors: [ERRORS.unknownAccount, ERRORS.wrongPassphrase, ...COMPOSITION_ERRORS, ...SUBMISSION_ERRORS],
  differences: 'As `eth_sendTransaction`.',
  handler: (context, [request, passphrase]) =>
    data(context.wallet.sendWithPassphrase(sendMessage(request, context), passphrase)),
});
