import { data, hashShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { passphraseSchema } from '../../parameters/plain.ts';
import { sendMessage } from '../../requests.ts';
import { trialsOfRequest } from '../../trials.ts';

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
  errors: [
    ERRORS.unknownAccount,
    ERRORS.wrongPassphrase,
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
  differences: 'As `eth_sendTransaction`.',
  trials: ({ ledger }, [request]) => trialsOfRequest(request, ledger),
  handler: (context, [request, passphrase]) =>
    data(context.wallet.sendWithPassphrase(sendMessage(request, context), passphrase)),
});
