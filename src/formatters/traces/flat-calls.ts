import type { CallFrame, TraceBudget } from '../../ledger/index.ts';
import type { Address } from '../../protocol/index.ts';
import { type Hexadecimal, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { errorText, isCreation, parityErrorText } from './error-texts.ts';

type Bytes<Name extends string> = { readonly [K in Name]?: Hexadecimal };

/** A call, a creation or a self-destruction; its type determines the fields. */
interface FlatAction
  extends Bytes<'from' | 'gas' | 'input' | 'init' | 'to' | 'value'>,
    Bytes<'address' | 'refundAddress' | 'balance'> {
  readonly callType?: string;
  readonly creationMethod?: string;
}

interface FlatResult extends Bytes<'address' | 'code' | 'output'> {
  readonly gasUsed: Hexadecimal;
}

/** A call in a flat list, in which each call precedes its inner calls. */
export interface FlatCall {
  readonly action: FlatAction;
  readonly error?: string;
  readonly result?: FlatResult | null;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: 'call' | 'create' | 'suicide';
}

export interface TransactionPosition {
  readonly blockHash: Hexadecimal;
  readonly blockNumber: number;
  readonly transactionHash: Hexadecimal;
  readonly transactionPosition: number;
}

interface FlatOptions {
  readonly errors: 'geth' | 'parity';
  /** Result of a failed call: the data of a revert and otherwise none, or always null. */
  readonly failedResult: 'revertData' | 'null';
  /** Counts the bytes of `traceAddress`, which grow with the depth of the tree. */
  readonly budget: Pick<TraceBudget, 'take'>;
  /** Returns true for precompiled contracts, whose calls are omitted. Absent: all calls are listed. */
  readonly isPrecompiled?: ((address: Address) => boolean) | undefined;
}

/** Approximate bytes of an index in `traceAddress`. */
const ADDRESS_STEP_BYTES = 5;

/** Lists the calls of a transaction in the order in which they began. */
export function flatCalls(root: CallFrame, options: FlatOptions): FlatCall[] {
  const flat: FlatCall[] = [];
  addCalls(root, [], options, flat);
  return flat;
}

function addCalls(
  frame: CallFrame,
  traceAddress: readonly number[],
  options: FlatOptions,
  flat: FlatCall[],
): void {
  const calls = frame.calls.filter((call) => !isOmitted(call, options));
  options.budget.take(ADDRESS_STEP_BYTES * traceAddress.length);
  flat.push(flatCall(frame, traceAddress, calls.length, options));
  for (const [index, call] of calls.entries()) addCalls(call, [...traceAddress, index], options, flat);
}

function isOmitted({ kind, to }: CallFrame, { isPrecompiled }: FlatOptions): boolean {
  return (kind === 'CALL' || kind === 'STATICCALL') && isPrecompiled?.(to) === true;
}

function flatCall(
  frame: CallFrame,
  traceAddress: readonly number[],
  subtraces: number,
  { errors, failedResult }: FlatOptions,
): FlatCall {
  const { failure, kind } = frame;
  const result = kind === 'SELFDESTRUCT' ? undefined : resultOf(frame);
  const isShown = failure === undefined || (failedResult === 'revertData' && failure.reason === 'revert');
  return {
    action: actionOf(frame),
    ...(failure && { error: errors === 'geth' ? errorText(failure) : parityErrorText(failure) }),
    ...(isShown ? result && { result } : failedResult === 'null' && { result: null }),
    subtraces,
    traceAddress,
    type: kind === 'SELFDESTRUCT' ? 'suicide' : isCreation(kind) ? 'create' : 'call',
  };
}

function actionOf(frame: CallFrame): FlatAction {
  const { kind, from, to, gas, input, value } = frame;
  if (kind === 'SELFDESTRUCT')
    return { address: toPrefixedHex(from), balance: quantity(value), refundAddress: toPrefixedHex(to) };
  const common = { from: toPrefixedHex(from), gas: quantity(gas), value: quantity(value) };
  const name = kind.toLowerCase();
  if (isCreation(kind)) return { ...common, creationMethod: name, init: toPrefixedHex(input) };
  return { ...common, callType: name, input: toPrefixedHex(input), to: toPrefixedHex(to) };
}

function resultOf(frame: CallFrame): FlatResult {
  const { kind, to, gasUsed, output, failure } = frame;
  if (!isCreation(kind)) return { gasUsed: quantity(gasUsed), output: toPrefixedHex(output) };
  const address = failure === undefined ? { address: toPrefixedHex(to) } : {};
  return { ...address, code: toPrefixedHex(output), gasUsed: quantity(gasUsed) };
}
