import { type Abi, encodeFunctionData, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { lineOf } from './console-lines.ts';

const WHO = '0x00000000000000000000000000000000DeaDBeef';

/** The call of a function of the console. */
function said(signature: string, args: readonly unknown[]): Hex {
  const [functionName = '', types = ''] = signature.replace(')', '').split('(');
  const inputs = types === '' ? [] : types.split(',').map((type) => ({ type, name: '' }));
  const abi: Abi = [{ type: 'function', name: functionName, inputs, outputs: [], stateMutability: 'view' }];
  return encodeFunctionData({ abi, functionName, args });
}

test.each([
  ['log()', [], ''],
  ['log(string)', ['100%% %s'], '100%% %s'],
  ['log(string,uint256)', ['%d of', 2n ** 255n], `${2n ** 255n} of`],
  ['log(string,uint256,bool,address)', ['a', 1n, true, WHO], `a 1 true ${WHO}`],
  ['log(string,string,string)', ['%s', 'one', 'two'], 'one two'],
  ['log(string,string)', ['%s %s', 'x'], 'x %s'],
  ['log(string,string)', ['%%d', 'x'], '%d x'],
  ['log(uint256,string)', [1n, '%s'], '1 %s'],
  ['logInt(int256)', [-7n], '-7'],
  ['logBytes(bytes)', ['0x0102'], '0x0102'],
  ['logBytes4(bytes4)', ['0x01020304'], '0x01020304'],
])('args: %s', (signature, args, line) => {
  expect(lineOf(said(signature, args))).toBe(line);
});

test.each(['0x', '0xdeadbeef01', '0xf82c50f1'] as const)('error: %s is no call of the console', (input) => {
  expect(lineOf(input)).toBe(input);
});
