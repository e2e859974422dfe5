import type { CallFrame, FrameLog } from '../../ledger/index.ts';
import { data, quantity } from '../formatting.ts';
import {
  addressShape,
  arrayShape,
  dataShape,
  describedShape,
  hashShape,
  namedShape,
  type ObjectOf,
  objectShape,
  optionalShape,
  quantityShape,
  type Shape,
  textShape,
  type ValueOf,
} from '../shapes.ts';
import { endText, isCreation, revertReasonOf } from './end-text.ts';

const frameLogShape = objectShape({
  address: addressShape,
  topics: arrayShape(hashShape),
  data: dataShape,
  index: describedShape(quantityShape, 'Place among the logs of the transaction.'),
  position: describedShape(quantityShape, 'Calls of the frame before it.'),
});

type FrameLogObject = ValueOf<typeof frameLogShape>;

const callFrameFields = {
  from: addressShape,
  gas: quantityShape,
  gasUsed: quantityShape,
  to: optionalShape(addressShape),
  input: dataShape,
  output: optionalShape(dataShape),
  error: optionalShape(textShape),
  revertReason: optionalShape(textShape),
  calls: optionalShape(
    arrayShape<CallFrameObject>({ describe: (components) => callFrameShape.describe(components) }),
  ),
  logs: optionalShape(arrayShape(frameLogShape)),
  value: optionalShape(quantityShape),
  type: textShape,
};

/** A call as `callTracer` gives it. */
export interface CallFrameObject extends ObjectOf<typeof callFrameFields> {}

/** The shape of a call, which holds others of its kind. */
export const callFrameShape: Shape<CallFrameObject> = namedShape(
  'CallFrame',
  { title: 'call of a transaction, with those within it' },
  objectShape(callFrameFields),
);

/** The gas of the whole transaction, beside that of its outermost call. */
export interface TransactionGas {
  /** Limit of its gas. */
  readonly gas: bigint;
  /** Gas that was charged. */
  readonly gasUsed: bigint;
}

/** Maps the calls of a transaction to a tree, without the logs that a failure reverted. */
export function callFrameObject(root: CallFrame, { gas, gasUsed }: TransactionGas): CallFrameObject {
  return objectOf({ ...root, gas, gasUsed }, false);
}

function objectOf(frame: CallFrame, isParentGone: boolean): CallFrameObject {
  const { kind, from, to, value, gas, gasUsed, input, output, failure, calls, logs } = frame;
  const isGone = isParentGone || failure !== undefined;
  const hasTo = failure === undefined || !isCreation(frame);
  const hasOutput = output.length > 0 && (failure === undefined || failure.reason === 'revert');
  const revertReason = revertReasonOf(frame);
  return {
    from: data(from),
    gas: quantity(gas),
    gasUsed: quantity(gasUsed),
    ...(hasTo && { to: data(to) }),
    input: data(input),
    ...(hasOutput && { output: data(output) }),
    ...(failure && { error: endText(failure) }),
    ...(revertReason !== undefined && { revertReason }),
    ...(calls.length > 0 && { calls: calls.map((call) => objectOf(call, isGone)) }),
    ...(logs.length > 0 && !isGone && { logs: logs.map(logObject) }),
    ...(kind !== 'STATICCALL' && { value: quantity(value) }),
    type: kind,
  };
}

function logObject({ log, index, position }: FrameLog): FrameLogObject {
  return {
    address: data(log.address),
    topics: log.topics.map(data),
    data: data(log.data),
    index: quantity(index),
    position: quantity(position),
  };
}
