import { type AbiParameter, elementaryType } from './types.ts';

/** A function of the console: the signature that its selector hashes, and its parameters. */
export interface ConsoleFunction {
  readonly signature: string;
  readonly inputs: readonly AbiParameter[];
}

/** Types of the up to four parameters of `log`. */
const LOGGED = ['uint256', 'string', 'bool', 'address'];
const LOG_PARAMETERS = 4;
const LARGEST_FIXED_BYTES = 32;

/** Lists the functions of Hardhat's console.sol, present and former. */
export function consoleFunctions(): readonly ConsoleFunction[] {
  const found: ConsoleFunction[] = [];
  const add = (name: string, ...types: readonly string[]): void => {
    const inputs = types.flatMap((text) => {
      const type = elementaryType(text);
      return type === undefined ? [] : [{ name: '', type }];
    });
    found.push({ signature: `${name}(${types.join(',')})`, inputs });
    // Former versions hashed `uint` and `int` without their size.
    const former = types.map((text) => text.replace(/int256$/, 'int'));
    found.push({ signature: `${name}(${former.join(',')})`, inputs });
  };
  let combinations: string[][] = [[]];
  add('log');
  for (let count = 1; count <= LOG_PARAMETERS; count += 1) {
    combinations = combinations.flatMap((types) => LOGGED.map((type) => [...types, type]));
    for (const types of combinations) add('log', ...types);
  }
  for (const type of ['int256', 'bytes']) add('log', type);
  add('log', 'string', 'int256');
  for (const type of ['int256', 'uint256', 'string', 'bool', 'address', 'bytes']) {
    const name = type.replace('256', '');
    add(`log${name.charAt(0).toUpperCase()}${name.slice(1)}`, type);
  }
  for (let size = 1; size <= LARGEST_FIXED_BYTES; size += 1) {
    add(`logBytes${size}`, `bytes${size}`);
    add('log', `bytes${size}`);
  }
  return found;
}
