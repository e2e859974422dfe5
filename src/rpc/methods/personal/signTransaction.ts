import { ERRORS } from '../../description/described-errors.ts';
import { defineTestMethod } from '../../method.ts';
import { rawTransaction } from '../../raw-transaction.ts';
import { sendMessage } from '../../requests.ts';
import { passphraseSchema } from '../../schemas/plain.ts';
import { dataResult } from '../../schemas/results.ts';
import { sendRequestSchema } from '../../schemas/transaction.ts';
import { PREPARING_ERRORS } from '../../sending.ts';

export const signTransactionWithPassphrase = defineTestMethod({
  name: 'personal_signTransaction',
  summary: 'Signs a transaction of an account given its passphrase and answers its bytes; nothing is sent.',
  section: 'testMode',
  parameters: [
    { name: 'transaction', schema: sendRequestSchema },
    { name: 'passphrase', schema: passphraseSchema },
  ],
  result: dataResult,
  errors: [ERRORS.unknownAccount, ERRORS.wrongPassphrase, ...PREPARING_ERRORS],
  differences: 'As `eth_signTransaction`.',
  handler: (context, request, passphrase) =>
    rawTransaction(context.wallet.sign(sendMessage(request, context), passphrase)),
});
