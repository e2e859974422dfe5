import { dataShape } from '../../../view/index.ts';
import { rawTransaction } from '../../answers/raw-transaction.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { COMPOSITION_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { passphraseSchema } from '../../parameters/plain.ts';
import { sendMessage } from '../../transactions/call-messages.ts';

export const signTransactionWithPassphrase = defineMethod({
  name: 'personal_signTransaction',
  summary: 'Signs a transaction of an account given its passphrase and answers its bytes; nothing is sent.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'transaction', schema: sendRequestSchema },
    { name: 'passphrase', schema: passphraseSchema },
  ],
  result: dataShape,
  errors: [ERRORS.unknownAccount, ERRORS.wrongPassphrase, ...COMPOSITION_ERRORS],
  differences: 'As `eth_signTransaction`.',
  handler: (context, [request, passphrase]) =>
    rawTransaction(context.wallet.sign(sendMessage(request, context), passphrase)),
});
