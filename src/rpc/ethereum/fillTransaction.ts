import { filledTransactionShape, objectShape, toFilledTransaction } from '../../view/index.ts';
import { ERRORS } from '../description/described-errors.ts';
import { RequestFailedError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { ethereumRequestSchema, filledFields } from '../transactions/ethereum-call-messages.ts';

export const fillTransaction = defineMethod({
  name: 'eth_fillTransaction',
  summary: 'Fills in what a transaction leaves out: nonce, gas and price; nothing is signed.',
  section: 'state',
  work: 'turn',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }],
  result: objectShape({ tx: filledTransactionShape }),
  errors: [ERRORS.executionReverted, ERRORS.executionHalted, ERRORS.gasRequired, ERRORS.insufficientFunds],
  differences: 'There are no bytes beside the object, since nobody takes what is not signed.',
  handler: (context, [request]) => {
    const { from } = request;
    if (from === undefined) throw new RequestFailedError('missing from: it says whose nonce is next');
    return { tx: toFilledTransaction(filledFields(context, request, from)) };
  },
});
