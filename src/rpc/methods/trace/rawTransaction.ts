import { ethereumEnvelope } from '../../../ledger/index.ts';
import { ethereumTransactionKind } from '../../../protocol/index.ts';
import { decodeTransaction } from '../../answers/raw-transaction.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineMethod } from '../../method.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { placed } from '../../parameters/schema.ts';
import { resultsOfUnsent } from '../../tracing/parity-calls.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import { resultsShape } from '../../tracing/shapes.ts';

export const traceRawTransaction = defineMethod({
  name: 'trace_rawTransaction',
  summary:
    'Runs a signed transaction on the latest state, without sending it, and answers the traces asked for.',
  section: 'traces',
  work: 'trace',
  parameters: [
    { name: 'transaction', schema: placed(dataSchema) },
    { name: 'kinds', schema: parityKindsSchema },
  ],
  result: resultsShape,
  errors: [ERRORS.transactionRefused, ERRORS.traceTimedOut, ERRORS.traceTooLarge],
  differences:
    'Native transactions as well, of one operation. The signature of a native one, its expiration and its reference ' +
    'block do not matter here.',
  handler: (context, [given, kinds]) => {
    const { value: bytes } = given;
    const isEthereum = context.ledger.knowsEthereum && ethereumTransactionKind(bytes) !== undefined;
    const transaction = isEthereum ? ethereumEnvelope(bytes) : decodeTransaction(given, context.ledger);
    const [operation, second] = transaction.operations;
    if (operation === undefined || second !== undefined) {
      throw new RequestFailedError('a transaction of one operation can be traced before it is sent');
    }
    return resultsOfUnsent(context, operation, kinds);
  },
});
