import type { CallFrame } from '../../ledger/index.ts';
import { type Address, hexToBytes, toAddress } from '../../protocol/index.ts';
import { type CallFrameObject, endText } from '../../view/index.ts';

/** A call of a transaction in a tree. */
export interface TreeCall {
  /** `CALL`, `CREATE2`, `SELFDESTRUCT` and so on. */
  readonly kind: string;
  readonly from: Address;
  /** Undefined where it is not known: of a creation that failed. */
  readonly to: Address | undefined;
  /** In Wei. */
  readonly value: bigint;
  readonly gasUsed: bigint;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly failure?: {
    /** The error text of Ethereum's clients. */
    readonly text: string;
    readonly isRevert: boolean;
    /** Offsets of the last instructions up to the one that failed; empty where none ran, or they are not known. */
    readonly path: readonly number[];
  };
  readonly calls: readonly TreeCall[];
}

/** Converts the calls that were gathered while code ran. */
export function treeOfFrame(frame: CallFrame): TreeCall {
  const { kind, from, to, value, gasUsed, input, output, failure, path } = frame;
  const hasPlace = failure?.reason === 'revert' || failure?.reason === 'invalidOpcode';
  return {
    ...{ kind, from, to, value, gasUsed, input, output },
    ...(failure && {
      failure: { text: endText(failure), isRevert: failure.reason === 'revert', path: hasPlace ? path : [] },
    }),
    calls: frame.calls.map(treeOfFrame),
  };
}

/** Converts the calls from `callTracer` of any node, once their form is checked. */
export function treeOfObject(object: CallFrameObject): TreeCall {
  const { type, from, to, value = '0x0', gasUsed, input, output = '0x', error, calls = [] } = object;
  return {
    kind: type,
    from: addressOf(from),
    to: to === undefined ? undefined : addressOf(to),
    value: BigInt(value),
    gasUsed: BigInt(gasUsed),
    input: bytesOf(input),
    output: bytesOf(output),
    ...(error !== undefined && { failure: { text: error, isRevert: error === REVERTED, path: [] } }),
    calls: calls.map(treeOfObject),
  };
}

/** The error text of a revert in all clients. */
const REVERTED = 'execution reverted';
const PREFIX_CHARACTERS = 2;

function bytesOf(text: string): Uint8Array {
  return hexToBytes(text.slice(PREFIX_CHARACTERS).toLowerCase());
}

function addressOf(text: string): Address {
  return toAddress(bytesOf(text));
}
