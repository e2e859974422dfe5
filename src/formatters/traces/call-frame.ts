import type { CallFrame, FrameLog } from '../../ledger/index.ts';
import { type Hexadecimal, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { errorText, isCreation, revertReasonOf } from './error-texts.ts';

interface FrameLogObject {
  readonly address: Hexadecimal;
  readonly topics: readonly Hexadecimal[];
  readonly data: Hexadecimal;
  /** Index among the logs of the transaction. */
  readonly index: Hexadecimal;
  /** Number of calls of the frame before it. */
  readonly position: Hexadecimal;
}

export interface CallFrameObject {
  readonly from: Hexadecimal;
  readonly gas: Hexadecimal;
  readonly gasUsed: Hexadecimal;
  readonly to?: Hexadecimal;
  readonly input: Hexadecimal;
  readonly output?: Hexadecimal;
  readonly error?: string;
  readonly revertReason?: string;
  readonly calls?: readonly CallFrameObject[];
  readonly logs?: readonly FrameLogObject[];
  readonly value?: Hexadecimal;
  readonly type: string;
}

/** Gas of a whole transaction, unlike that of its outermost call. */
export interface TransactionGas {
  readonly gas: bigint;
  readonly gasUsed: bigint;
}

/**
 * Maps the calls of a transaction to a tree, without reverted logs.
 * @param further returns additional fields of a call
 */
export function callFrameObject<F extends object>(
  root: CallFrame,
  transaction: TransactionGas,
  further?: (frame: CallFrame) => F,
): CallFrameObject {
  return objectOf(root, transaction, false, further);
}

function objectOf<F extends object>(
  frame: CallFrame,
  { gas, gasUsed }: TransactionGas,
  isParentReverted: boolean,
  further: ((frame: CallFrame) => F) | undefined,
): CallFrameObject {
  const { kind, from, to, value, input, output, failure, calls, logs } = frame;
  const isReverted = isParentReverted || failure !== undefined;
  const hasTo = failure === undefined || !isCreation(kind);
  const hasOutput = output.length > 0 && (failure === undefined || failure.reason === 'revert');
  const revertReason = revertReasonOf(frame);
  return {
    from: toPrefixedHex(from),
    gas: quantity(gas),
    gasUsed: quantity(gasUsed),
    ...(hasTo && { to: toPrefixedHex(to) }),
    input: toPrefixedHex(input),
    ...(hasOutput && { output: toPrefixedHex(output) }),
    ...(failure && { error: errorText(failure) }),
    ...(revertReason !== undefined && { revertReason }),
    ...(calls.length > 0 && { calls: calls.map((call) => objectOf(call, call, isReverted, further)) }),
    ...(logs.length > 0 && !isReverted && { logs: logs.map(logObject) }),
    ...(kind !== 'STATICCALL' && { value: quantity(value) }),
    type: kind,
    ...further?.(frame),
  };
}

function logObject({ log, index, position }: FrameLog): FrameLogObject {
  return {
    address: toPrefixedHex(log.address),
    topics: log.topics.map(toPrefixedHex),
    data: toPrefixedHex(log.data),
    index: quantity(index),
    position: quantity(position),
  };
}
