import { ethereumEnvelope } from '../../../ledger/index.ts';
import { reorganization } from '../../test-control/reorganization.ts';
import { ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';
import { nativeRequest, signedBytes } from '../sending/send.ts';

export const reorganize = reorganization({
  requestSchema: ethereumRequestSchema,
  decode: ({ value }) => ethereumEnvelope(value),
  sign: (context, request, index) => {
    const { from } = request;
    const hasKey = from !== undefined && context.keys?.holds(from) === true;
    if (hasKey) return ethereumEnvelope(signedBytes(context, request));
    return context.wallet.sign(nativeRequest(context, request), undefined, index);
  },
});
