import { data, hashShape } from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { COMPOSITION_ERRORS, SUBMISSION_ERRORS } from '../../description/error-groups.ts';
import { defineMethod } from '../../method.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { sendMessage } from '../../transactions/call-messages.ts';

export const sendUnsignedTransaction = defineMethod({
  name: 'eth_sendUnsignedTransaction',
  summary: 'Sends from whatever address without its key, as if it were impersonated for this once.',
  section: 'testMode',
  work: 'send',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: sendRequestSchema }],
  result: hashShape,
  errors: [ERRORS.evmAddressGiven, ...COMPOSITION_ERRORS, ...SUBMISSION_ERRORS],
  differences: 'As `eth_sendTransaction` of an impersonated address.',
  handler: (context, [request]) => data(context.wallet.sendUnsigned(sendMessage(request, context))),
});
