import { data } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { sendMessage } from '../../requests.ts';
import { passphraseSchema } from '../../schemas/plain.ts';
import { hashResult } from '../../schemas/results.ts';
import { sendRequestSchema } from '../../schemas/transaction.ts';
import { PREPARING_ERRORS, SUBMITTING_ERRORS } from '../../sending.ts';

export const sendTransactionWithPassphrase = defineTestMethod({
  name: 'personal_sendTransaction',
  summary: 'Sends a transaction of an account given its passphrase; a locked account stays locked.',
  section: 'testMode',
  parameters: [
    { name: 'transaction', schema: sendRequestSchema },
    { name: 'passphrase', schema: passphraseSchema },
  ],
  result: hashResult,
  errors: [ERRORS.unknownAccount, ERRORS.wrongPassphrase, ...PREPARING_ERRORS, ...SUBMITTING_ERRORS],
  differences: 'As `eth_sendTransaction`.',
  handler: (context, request, passphrase) =>
    data(context.wallet.sendWithPassphrase(sendMessage(request, context), passphrase)),
});
