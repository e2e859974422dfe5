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
import type { TestChainContext } from '../../method-context.ts';
import { passphraseSchema } from '../../parameters/plain.ts';
import { type EthereumRequest, ethereumRequestSchema } from '../../transactions/ethereum-call-messages.ts';
import { signedBytes } from './send.ts';

const signedBytesShape = namedShape(
  'SignedBytes',
  { title: 'signed transaction' },
  objectShape({ raw: dataShape, tx: signedTransactionShape }),
);

const SIGNING_ERRORS = [
  ERRORS.unknownAccount,
  ERRORS.authenticationNeeded,
  ERRORS.executionReverted,
  ERRORS.executionHalted,
  ERRORS.gasRequired,
  ERRORS.insufficientFunds,
];

function signed(context: TestChainContext, request: EthereumRequest, passphrase?: string) {
  const raw = signedBytes(context, request, passphrase);
  return { raw: data(raw), tx: toSignedTransaction(parseEthereumTransaction(raw)) };
}

export const signTransaction = defineMethod({
  name: 'eth_signTransaction',
  summary: 'Signs a transaction for an account of the node and answers its bytes; nothing is sent.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [{ name: 'transaction', schema: ethereumRequestSchema }],
  result: signedBytesShape,
  errors: SIGNING_ERRORS,
  handler: (context, [request]) => signed(context, request),
});

export const signTransactionWithPassphrase = defineMethod({
  name: 'personal_signTransaction',
  summary: 'Signs a transaction of an account given its passphrase and answers its bytes; nothing is sent.',
  section: 'testMode',
  work: 'turn',
  chains: 'test',
  parameters: [
    { name: 'transaction', schema: ethereumRequestSchema },
    { name: 'passphrase', schema: passphraseSchema },
  ],
  result: signedBytesShape,
  errors: [...SIGNING_ERRORS, ERRORS.wrongPassword],
  handler: (context, [request, passphrase]) => signed(context, request, passphrase),
});
