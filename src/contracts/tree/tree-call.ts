import type { CallFrame } from '../../ledger/index.ts';
import { type Address, bytesToHex, hexToBytes, toAddress } from '../../protocol/index.ts';
import { type CallFrameObject, endText } from '../../view/index.ts';

/** A call of a transaction, as far as its tree says it. */
export interface TreeCall {
  /** `CALL`, `CREATE2`, `SELFDESTRUCT` and so on. */
  readonly kind: string;
  readonly from: Address;
  /** Undefined of a creation that failed where nobody says. */
  readonly to: Address | undefined;
  /** In Wei. */
  readonly value: bigint;
  readonly gasUsed: bigint;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly failure: TreeFailure | undefined;
  readonly calls: readonly TreeCall[];
}

/** Why a call in words failed. */
export interface TreeFailure {
  /** How Ethereum's clients word it. */
  readonly text: string;
  readonly isRevert: boolean;
  /** Offsets of the instructions that ran last, up to the one that gave up; empty where none did, or nobody says. */
  readonly path: readonly number[];
}

/** The calls that were gathered while code ran. */
export function treeOfFrame(frame: CallFrame): TreeCall {
  const { kind, from, to, value, gasUsed, input, output, failure, path } = frame;
  const gaveUp = failure?.reason === 'revert' || failure?.reason === 'invalidOpcode';
  return {
    ...{ kind, from, to, value, gasUsed, input, output },
    failure: failure && {
      text: endText(failure),
      isRevert: failure.reason === 'revert',
      path: gaveUp ? path : [],
    },
    calls: frame.calls.map(treeOfFrame),
  };
}

/** The calls that `callTracer` of any node has given, once their form is checked. */
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
    failure: error === undefined ? undefined : { text: error, isRevert: error === REVERTED, path: [] },
    calls: calls.map(treeOfObject),
  };
}

/** How clients word a revert. */
const REVERTED = 'execution reverted';
const PREFIX_CHARACTERS = 2;

function bytesOf(text: string): Uint8Array {
  return hexToBytes(text.slice(PREFIX_CHARACTERS).toLowerCase());
}

function addressOf(text: string): Address {
  return toAddress(bytesOf(text));
}

/** The address as a key of tables. */
export function keyOf(address: Address): string {
  return bytesToHex(address);
}
