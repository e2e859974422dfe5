import { type Abi, encodeFunctionData } from 'viem';
import { expect, test } from 'vitest';
import { hexToBytes } from '../../protocol/index.ts';
import { consoleLine } from './format.ts';

const WHO = '0x00000000000000000000000000000000DeaDBeef';

/** Returns the line of a call of the console. */
function said(signature: string, ...args: readonly unknown[]): string {
  const [functionName = '', types = ''] = signature.replace(')', '').split('(');
  const inputs = types === '' ? [] : types.split(',').map((type) => ({ type, name: '' }));
  const abi: Abi = [{ type: 'function', name: functionName, inputs, outputs: [], stateMutability: 'view' }];
  return consoleLine(hexToBytes(encodeFunctionData({ abi, functionName, args }).slice(2)));
}

test.each([
  ['log()', [], ''],
  ['log(string)', ['100%% %s'], '100%% %s'],
  ['log(string,uint256)', ['%d of', 2n ** 255n], `${2n ** 255n} of`],
  ['log(string,uint256)', ['%i%%', 5n], '5%'],
  ['log(string,uint256,bool,address)', ['a', 1n, true, WHO], `a 1 true ${WHO}`],
  ['log(string,string,string)', ['%s', 'one', 'two'], 'one two'],
  ['log(string,string)', ['%%d', 'x'], '%d x'],
  ['log(string,string)', ['%s %s', 'x'], 'x %s'],
  ['log(uint256,string)', [1n, '%s'], '1 %s'],
  ['log(address)', [WHO], WHO],
  ['logInt(int256)', [-7n], '-7'],
  ['logBytes(bytes)', ['0x0102'], '0x0102'],
  ['logBytes4(bytes4)', ['0x01020304'], '0x01020304'],
])('args: %s %s', (signature, args, expected) => {
  expect(said(signature, ...args)).toBe(expected);
});

test('behavior: the selectors of former versions, and an unknown function', () => {
  // keccak256("log(uint)"), which is no signature that a compiler makes.
  expect(consoleLine(hexToBytes(`f5b1bba9${'7'.padStart(64, '0')}`))).toBe('7');
  expect(consoleLine(hexToBytes('deadbeef01'))).toBe('0xdeadbeef01');
  expect(consoleLine(hexToBytes('f82c50f1'))).toBe('0xf82c50f1');
  expect(consoleLine(new Uint8Array(0))).toBe('0x');
});
