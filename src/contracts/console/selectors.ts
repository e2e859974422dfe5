import { bytesToHex, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import { type AbiParameter, elementaryType } from '../abi/index.ts';

const SELECTOR_BYTES = 4;
/** What `log` takes, up to four of them. */
const LOGGED = ['uint256', 'string', 'bool', 'address'];
const LOGGED_MOST = 4;
const FIXED_BYTES_MOST = 32;

/** The functions of the console by their selectors in hexadecimal: those of today's console.sol and of former ones. */
export function consoleFunctions(): ReadonlyMap<string, readonly AbiParameter[]> {
  known ??= computed();
  return known;
}

let known: ReadonlyMap<string, readonly AbiParameter[]> | undefined;

function computed(): ReadonlyMap<string, readonly AbiParameter[]> {
  const found = new Map<string, readonly AbiParameter[]>();
  const add = (name: string, ...types: string[]): void => {
    const parameters = types.flatMap((text) => {
      const type = elementaryType(text);
      return type === undefined ? [] : [{ name: '', type }];
    });
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
  add('log', 'int256');
  add('log', 'string', 'int256');
  add('log', 'bytes');
  add('logInt', 'int256');
  add('logUint', 'uint256');
  add('logString', 'string');
  add('logBool', 'bool');
  add('logAddress', 'address');
  add('logBytes', 'bytes');
  for (let size = 1; size <= FIXED_BYTES_MOST; size += 1) {
    add(`logBytes${size}`, `bytes${size}`);
    add('log', `bytes${size}`);
  }
  return found;
}

function selectorOf(signature: string): string {
  return bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, SELECTOR_BYTES));
}
