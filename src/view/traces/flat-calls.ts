import type { CallFrame, TraceBudget } from '../../ledger/index.ts';
import type { Address } from '../../protocol/index.ts';
import { type Hexadecimal, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { endText, isCreation, parityEndText } from './end-text.ts';

type Bytes<Name extends string> = { readonly [K in Name]?: Hexadecimal };

/** A call, a creation or a self-destruction; its type says which fields there are. */
interface FlatAction
  extends Bytes<'from' | 'gas' | 'input' | 'init' | 'to' | 'value'>,
    Bytes<'address' | 'refundAddress' | 'balance'> {
  readonly callType?: string;
  readonly creationMethod?: string;
}

/** The outcome of a call or a creation. */
interface FlatResult extends Bytes<'address' | 'code' | 'output'> {
  readonly gasUsed: Hexadecimal;
}

/** A call in a flat list, in which each comes before those within it. */
export interface FlatCall {
  readonly action: FlatAction;
  readonly error?: string;
  readonly result?: FlatResult | null;
  readonly subtraces: number;
  readonly traceAddress: readonly number[];
  readonly type: 'call' | 'create' | 'suicide';
}

/** The transaction that a call belongs to. */
export interface FlatPlace {
  readonly blockHash: Hexadecimal;
  readonly blockNumber: number;
  readonly transactionHash: Hexadecimal;
  readonly transactionPosition: number;
}

/** The differences between the clients with flat traces. */
interface FlatOptions {
  /** The client whose error texts are used. */
  readonly words: 'geth' | 'parity';
  /** The result of a failure: nothing but the data of a revert, or null. */
  readonly failed: 'revertData' | 'null';
  /** Counts the bytes of positions in the tree, which grow with its depth. */
  readonly budget: Pick<TraceBudget, 'take'>;
  /** Tells precompiled contracts, whose calls are left out; absent: none is. */
  readonly isPrecompiled?: ((address: Address) => boolean) | undefined;
}

/** Approximate bytes of an index of a position in the tree. */
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
  const calls = frame.calls.filter((call) => !isLeftOut(call, options));
  options.budget.take(ADDRESS_STEP_BYTES * traceAddress.length);
  flat.push(flatCall(frame, traceAddress, calls.length, options));
  for (const [index, call] of calls.entries()) addCalls(call, [...traceAddress, index], options, flat);
}

function isLeftOut({ kind, to }: CallFrame, { isPrecompiled }: FlatOptions): boolean {
  return (kind === 'CALL' || kind === 'STATICCALL') && isPrecompiled?.(to) === true;
}

function flatCall(
  frame: CallFrame,
  traceAddress: readonly number[],
  subtraces: number,
  { words, failed }: FlatOptions,
): FlatCall {
  const { failure, kind } = frame;
  const result = kind === 'SELFDESTRUCT' ? undefined : resultOf(frame);
  const isShown = failure === undefined || (failed === 'revertData' && failure.reason === 'revert');
  return {
    action: actionOf(frame),
    ...(failure && { error: words === 'geth' ? endText(failure) : parityEndText(failure) }),
    ...(isShown ? result && { result } : failed === 'null' && { result: null }),
    subtraces,
    traceAddress,
    type: kind === 'SELFDESTRUCT' ? 'suicide' : isCreation(frame) ? 'create' : 'call',
  };
}

function actionOf(frame: CallFrame): FlatAction {
  const { kind, from, to, gas, input, value } = frame;
  if (kind === 'SELFDESTRUCT')
    return { address: toPrefixedHex(from), balance: quantity(value), refundAddress: toPrefixedHex(to) };
  const common = { from: toPrefixedHex(from), gas: quantity(gas), value: quantity(value) };
  const name = kind.toLowerCase();
  if (isCreation(frame)) return { ...common, creationMethod: name, init: toPrefixedHex(input) };
  return { ...common, callType: name, input: toPrefixedHex(input), to: toPrefixedHex(to) };
}

function resultOf(frame: CallFrame): FlatResult {
  const { to, gasUsed, output, failure } = frame;
  if (!isCreation(frame)) return { gasUsed: quantity(gasUsed), output: toPrefixedHex(output) };
  const address = failure === undefined ? { address: toPrefixedHex(to) } : {};
  return { ...address, code: toPrefixedHex(output), gasUsed: quantity(gasUsed) };
}
