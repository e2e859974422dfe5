import { ethereumEnvelope } from '../../../ledger/index.ts';
import { TRACED_CALLS_MAX } from '../../../limits.ts';
import { ethereumTransactionKind } from '../../../protocol/index.ts';
import { arrayShape } from '../../../view/index.ts';
import { CALL_TRACE_ERRORS, ERRORS } from '../../description/described-errors.ts';
import { RequestFailedError } from '../../errors.ts';
import { defineTraceMethod, type MethodDefinition } from '../../method.ts';
import { blockReferenceSchema } from '../../parameters/block.ts';
import { dataSchema } from '../../parameters/bytes.ts';
import { optional, placed } from '../../parameters/schema.ts';
import { arrayOf, pairOf } from '../../parameters/structures.ts';
import type { Profile } from '../../profiles/profile.ts';
import { resultsOfCalls, resultsOfUnsent } from '../../tracing/parity-calls.ts';
import { parityKindsSchema } from '../../tracing/parity-kinds.ts';
import { resultsShape } from '../../tracing/shapes.ts';
import { decodeTransaction } from '../../transactions/raw-transactions.ts';

const traceOneCall = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_call',
    summary: 'Runs a call on the state of a block and answers the traces that are asked for.',
    parameters: [
      { name: 'transaction', schema: profile.call },
      { name: 'kinds', schema: parityKindsSchema },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    result: resultsShape,
    errors: CALL_TRACE_ERRORS,
    handler: (context, [request, kinds, reference]) =>
      resultsOfCalls(context, [[request, kinds]], reference, false),
  });

const traceManyCalls = (profile: Profile): MethodDefinition =>
  defineTraceMethod({
    name: 'trace_callMany',
    summary: 'Runs calls on the state of a block, each on what those before it have left.',
    parameters: [
      {
        name: 'calls',
        schema: arrayOf(pairOf(profile.call, parityKindsSchema), {
          most: TRACED_CALLS_MAX,
          unit: 'calls',
        }),
        summary: 'Each a list of a call and of what is asked for of it.',
      },
      { name: 'block', schema: optional(blockReferenceSchema, 'latest' as const) },
    ],
    result: arrayShape(resultsShape),
    errors: CALL_TRACE_ERRORS,
    handler: (context, [calls, reference]) => resultsOfCalls(context, calls, reference, true),
  });

const traceRawTransaction = defineTraceMethod({
  name: 'trace_rawTransaction',
  summary:
    'Runs a signed transaction on the latest state, without sending it, and answers the traces asked for.',
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

/** Returns the methods that trace what no block includes, as Parity has them. */
export function parityCallMethods(profile: Profile): readonly MethodDefinition[] {
  return [traceOneCall(profile), traceManyCalls(profile), traceRawTransaction];
}
