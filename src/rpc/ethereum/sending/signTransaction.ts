import { parseEthereumTransaction } from '../../../protocol/index.ts';
import {
  data,
  dataShape,
  namedShape,
  objectShape,
  signedTransactionShape,
  toSignedTransaction,
} from '../../../view/index.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { ethereumRequestSchema } from '../calls/call-request.ts';
import { signedBytes } from './send.ts';

export const signTransaction = defineMethod({
  name: 'eth_signTransaction',
  summary: 'Signs a transaction for an account of the node and answers its bytes; nothing is sent.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }],
  result: namedShape(
    'SignedBytes',
    { title: 'signed transaction' },
    objectShape({ raw: dataShape, tx: signedTransactionShape }),
  ),
  errors: [
    ERRORS.unknownAccount,
    ERRORS.executionReverted,
    ERRORS.executionHalted,
    ERRORS.gasRequired,
    ERRORS.insufficientFunds,
  ],
  handler: (context, [request]) => {
    const raw = signedBytes(context, request);
    return { raw: data(raw), tx: toSignedTransaction(parseEthereumTransaction(raw)) };
  },
});
