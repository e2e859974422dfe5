import { sendRequestSchema } from '../../parameters/call-object.ts';
import { decodeTransaction } from '../../raw-transaction.ts';
import { reorganization } from '../../reorganization.ts';
import { sendMessage } from '../../requests.ts';

export const reorganize = reorganization({
  requestSchema: sendRequestSchema,
  decode: (bytes) => decodeTransaction(bytes, 'transaction of the pairs'),
  // Two that are equal differ in their expiration.
  sign: (context, request, index) => context.wallet.sign(sendMessage(request, context), undefined, index),
});
