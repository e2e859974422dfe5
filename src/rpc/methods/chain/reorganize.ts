import { decodeTransaction } from '../../answers/raw-transaction.ts';
import { sendRequestSchema } from '../../parameters/call-object.ts';
import { reorganization } from '../../test-control/reorganization.ts';
import { sendMessage } from '../../transactions/call-messages.ts';

export const reorganize = reorganization({
  requestSchema: sendRequestSchema,
  decode: (bytes) => decodeTransaction(bytes, { knowsEthereum: false }),
  // Two that are equal differ in their expiration.
  sign: (context, request, index) => context.wallet.sign(sendMessage(request, context), undefined, index),
});
