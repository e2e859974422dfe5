import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  checksumAddress,
  readType,
  selectorOf,
  toHex,
  visible,
} from '../abi/index.ts';
import type { Hex } from '../client/reading.ts';
import type { Frame } from '../client/traces.ts';
import { decodedOrNone } from './words.ts';

/** Where contracts say what is only for those who test them (Hardhat's console.sol). */
const CONSOLE_ADDRESS = '0x000000000000000000636f6e736f6c652e6c6f67';
const SELECTOR_CHARACTERS = 10;
/** What `log` takes, up to four of them. */
const LOGGED = ['uint256', 'string', 'bool', 'address'];
const LOGGED_MOST = 4;
const FIXED_BYTES_MOST = 32;

/** What an operation's contracts have said to the console, line by line. */
export function consoleLines(
  frames: readonly Frame[],
): readonly { readonly from: Hex; readonly text: string }[] {
  return frames
    .filter(({ to }) => to === CONSOLE_ADDRESS)
    .map(({ from, input }) => ({ from, text: lineOf(input) }));
}

/** Whether a call only says something to the console. */
export function isConsoleCall({ to }: Pick<Frame, 'to'>): boolean {
  return to === CONSOLE_ADDRESS;
}

/** A line: the arguments by the rules of `util.format`; the bytes, where they are no call of the console. */
export function lineOf(input: Hex): string {
  functions ??= consoleFunctions();
  const parameters = functions.get(input.slice(0, SELECTOR_CHARACTERS));
  const values = parameters && decodedOrNone(parameters, `0x${input.slice(SELECTOR_CHARACTERS)}`);
  if (parameters === undefined || values === undefined) return input;
  const texts = parameters.map(({ type }, index) => textOf(type, values[index]));
  const [first = '', ...others] = texts;
  return visible(parameters[0]?.type.kind === 'string' ? formatted(first, others) : texts.join(' '));
}

let functions: ReadonlyMap<string, readonly AbiParameter[]> | undefined;

function consoleFunctions(): ReadonlyMap<string, readonly AbiParameter[]> {
  const found = new Map<string, readonly AbiParameter[]>();
  const add = (name: string, ...types: readonly string[]): void => {
    const parameters = types.map((type) => ({ name: '', type: readType(type), isIndexed: false }));
    found.set(selectorOf(`${name}(${types.join(',')})`), parameters);
    // Former versions computed the selectors of `uint` and `int` as they are written.
    const former = types.map((text) => text.replace(/int256$/, 'int'));
    found.set(selectorOf(`${name}(${former.join(',')})`), parameters);
  };
  let combinations: string[][] = [[]];
  add('log');
  for (let count = 1; count <= LOGGED_MOST; count += 1) {
    combinations = combinations.flatMap((types) => LOGGED.map((type) => [...types, type]));
    for (const types of combinations) add('log', ...types);
  }
  for (const type of ['int256', 'bytes']) add('log', type);
  add('log', 'string', 'int256');
  for (const type of ['int256', 'uint256', 'string', 'bool', 'address', 'bytes']) {
    const name = type.replace('256', '');
    add(`log${name.charAt(0).toUpperCase()}${name.slice(1)}`, type);
  }
  for (let size = 1; size <= FIXED_BYTES_MOST; size += 1) {
    add(`logBytes${size}`, `bytes${size}`);
    add('log', `bytes${size}`);
  }
  return found;
}

function textOf(type: AbiType, value: AbiValue | undefined): string {
  if (value instanceof Uint8Array) return toHex(value);
  return type.kind === 'address' ? checksumAddress(String(value)) : String(value);
}

/** Puts texts into the places `%s`, `%d` and `%i` of the first, and what is left behind it. */
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
