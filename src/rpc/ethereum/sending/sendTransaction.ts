import { data, ethereumReceiptShape, hashShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { SUBMISSION_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { passphraseSchema } from '../../parameters/plain.ts';
import { ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';
import { WAIT_PARAMETER } from '../../transactions/inclusion.ts';
import { ethereumReceiptAfter } from './receipt-after.ts';
import { sendImpersonated, sendRequest } from './send.ts';

const SENDING_ERRORS = [
  ERRORS.unknownAccount,
  ERRORS.authenticationNeeded,
  ERRORS.executionReverted,
  ERRORS.executionHalted,
  ERRORS.gasRequired,
  ERRORS.insufficientFunds,
  ...SUBMISSION_ERRORS,
];

const DIFFERENCES =
  'A native account of the wallet sends native operations, which `/` shows without the wei that are no whole unit. ' +
  'An impersonated address pays for its gas; r and s of what it has sent say its address.';

export const sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  summary:
    'Signs a transaction for an account of the node, or sends it for an impersonated one; answers its hash.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }],
  result: hashShape,
  errors: SENDING_ERRORS,
  differences: DIFFERENCES,
  handler: (context, [request]) => data(sendRequest(context, request)),
});

export const sendTransactionWithPassphrase = defineMethod({
  name: 'personal_sendTransaction',
  summary: 'Sends a transaction of an account given its passphrase; a locked account stays locked.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    { name: 'passphrase', schema: passphraseSchema },
  ],
  result: hashShape,
  errors: [...SENDING_ERRORS, ERRORS.wrongPassword],
  differences: DIFFERENCES,
  handler: (context, [request, passphrase]) => data(sendRequest(context, request, passphrase)),
});

export const sendTransactionSync = defineMethod({
  name: 'eth_sendTransactionSync',
  summary: 'Sends as `eth_sendTransaction` does, waits for the block and answers the receipt.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }, WAIT_PARAMETER],
  result: ethereumReceiptShape,
  errors: [...SENDING_ERRORS, ERRORS.stillPending, ERRORS.transactionDropped],
  differences: DIFFERENCES,
  handler: (context, [request, timeout]) =>
    ethereumReceiptAfter(context, sendRequest(context, request), timeout),
});

export const sendUnsignedTransaction = defineMethod({
  name: 'eth_sendUnsignedTransaction',
  summary: 'Sends from whatever address without its key, as if it were impersonated for this once.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }],
  result: hashShape,
  errors: SENDING_ERRORS,
  handler: (context, [request]) => data(sendImpersonated(context, request)),
});
