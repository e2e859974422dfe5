import {
  addressShape,
  arrayShape,
  dataShape,
  hashShape,
  integerShape,
  namedShape,
  nullableShape,
  objectShape,
  optionalShape,
  quantityShape,
  type Shape,
  textShape,
} from '../../view/index.ts';

/** What a tracer answers, which depends on the tracer. */
export const traceShape: Shape<unknown> = namedShape(
  'Trace',
  {
    title: 'trace',
    description: 'Without a tracer `{gas, failed, returnValue, structLogs}`, else what the tracer makes.',
  },
  { describe: () => ({}) },
);

/** The traces of a block. */
export const blockTracesShape: Shape<unknown> = arrayShape(
  objectShape({ txHash: hashShape, result: traceShape }),
);

const actionShape = objectShape({
  callType: optionalShape(textShape),
  creationMethod: optionalShape(textShape),
  from: optionalShape(addressShape),
  gas: optionalShape(quantityShape),
  input: optionalShape(dataShape),
  init: optionalShape(dataShape),
  to: optionalShape(addressShape),
  value: optionalShape(quantityShape),
  address: optionalShape(addressShape),
  refundAddress: optionalShape(addressShape),
  balance: optionalShape(quantityShape),
});

const flatFields = {
  action: actionShape,
  error: optionalShape(textShape),
  result: optionalShape(
    nullableShape(
      objectShape({
        address: optionalShape(addressShape),
        code: optionalShape(dataShape),
        gasUsed: quantityShape,
        output: optionalShape(dataShape),
      }),
    ),
  ),
  subtraces: integerShape,
  traceAddress: arrayShape(integerShape),
  type: textShape,
} as const;

/** A call of a transaction of the chain, as `trace_` methods give it. */
export const placedCallShape = namedShape(
  'ParityTrace',
  { title: 'call of a transaction' },
  objectShape({
    ...flatFields,
    blockHash: hashShape,
    blockNumber: integerShape,
    transactionHash: hashShape,
    transactionPosition: integerShape,
  }),
);

const anything: Shape<unknown> = { describe: () => ({}) };

/** What `trace_call` and its like answer. */
export const resultsShape: Shape<unknown> = namedShape(
  'TraceResults',
  { title: 'results of a transaction', description: 'What was not asked for is null, or an empty list.' },
  objectShape({
    output: dataShape,
    stateDiff: anything,
    trace: arrayShape(objectShape(flatFields)),
    transactionHash: optionalShape(hashShape),
    vmTrace: anything,
  }),
);
