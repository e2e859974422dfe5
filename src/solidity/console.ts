import { type AbiParameter, elementaryType } from './types.ts';

/** A function of the console: its name and types as its selector is computed of them, and what it takes. */
export interface ConsoleFunction {
  readonly signature: string;
  readonly inputs: readonly AbiParameter[];
}

/** Types of the parameters of `log`, up to four of them. */
const LOGGED = ['uint256', 'string', 'bool', 'address'];
const LOGGED_MOST = 4;
const FIXED_BYTES_MOST = 32;

/** Lists the functions of the console: of console.sol (Hardhat) as it is and as it was. */
export function consoleFunctions(): readonly ConsoleFunction[] {
  const found: ConsoleFunction[] = [];
  const add = (name: string, ...types: readonly string[]): void => {
    const inputs = types.flatMap((text) => {
      const type = elementaryType(text);
      return type === undefined ? [] : [{ name: '', type }];
    });
    found.push({ signature: `${name}(${types.join(',')})`, inputs });
    // Former versions computed the selectors of `uint` and `int` as they are written.
    const former = types.map((text) => text.replace(/int256$/, 'int'));
    found.push({ signature: `${name}(${former.join(',')})`, inputs });
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
