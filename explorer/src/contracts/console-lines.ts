import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  checksumAddress,
  consoleFunctions,
  selectorOf,
  toHex,
  visible,
} from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import type { Frame } from '../client/traces.ts';
import { decodedDigits } from './words.ts';

/** The address of Hardhat's console.sol, which contracts call for debugging output. */
const CONSOLE_ADDRESS = '0x000000000000000000636f6e736f6c652e6c6f67';
const SELECTOR_CHARACTERS = 10;

/** Returns the console output of an operation, line by line. */
export function consoleLines(
  frames: readonly Frame[],
): readonly { readonly from: Hex; readonly text: string }[] {
  return frames
    .filter(({ to }) => to === CONSOLE_ADDRESS)
    .map(({ from, input }) => ({ from, text: lineOf(input) }));
}

/** Returns true for a call of the console. */
export function isConsoleCall({ to }: Pick<Frame, 'to'>): boolean {
  return to === CONSOLE_ADDRESS;
}

/** A line: the arguments by the rules of `util.format`; the bytes, where they are no call of the console. */
export function lineOf(input: Hex): string {
  functions ??= parametersBySelector();
  const parameters = functions.get(input.slice(0, SELECTOR_CHARACTERS));
  const values = parameters && decodedDigits(parameters, `0x${input.slice(SELECTOR_CHARACTERS)}`);
  if (parameters === undefined || values === undefined) return input;
  const texts = parameters.map(({ type }, index) => textOf(type, values[index]));
  const [first = '', ...others] = texts;
  return visible(parameters[0]?.type.kind === 'string' ? formatted(first, others) : texts.join(' '));
}

let functions: ReadonlyMap<string, readonly AbiParameter[]> | undefined;

function parametersBySelector(): ReadonlyMap<string, readonly AbiParameter[]> {
  return new Map(consoleFunctions().map(({ signature, inputs }) => [selectorOf(signature), inputs]));
}

function textOf(type: AbiType, value: AbiValue | undefined): string {
  if (value instanceof Uint8Array) return toHex(value);
  return type.kind === 'address' ? checksumAddress(String(value)) : String(value);
}

/** Replaces `%s`, `%d` and `%i` of the first text by the others, and appends the rest. */
function formatted(first: string, others: readonly string[]): string {
  if (others.length === 0) return first;
  let used = 0;
  const text = first.replace(/%[sdi%]/g, (place) => {
    if (place === '%%') return '%';
    const other = others[used];
    if (other === undefined) return place;
    used += 1;
    return other;
  });
  return [text, ...others.slice(used)].join(' ');
}
