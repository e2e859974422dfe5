import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { compileContract } from './compile.ts';
import { PAIR_CODE_HASH, uniswap } from './uniswap.ts';

test('default: the contracts compile, with imports from the installed packages', async () => {
  const token = await compileContract('Token');
  expect(token.bytecode).toMatch(/^0x60[0-9a-f]{1000,}$/);
  expect(token.abi).toContainEqual(expect.objectContaining({ type: 'function', name: 'transfer' }));
  const probe = await compileContract('Probe');
  expect(probe.abi).toContainEqual(expect.objectContaining({ type: 'error', name: 'Refused' }));
});

test('error: a contract that is not there', async () => {
  await expect(compileContract('Absent')).rejects.toThrow('Absent.sol');
});

test('behavior: the shipped router computes the addresses of the shipped pair', () => {
  expect(keccak256(uniswap.pair().bytecode)).toBe(PAIR_CODE_HASH);
  expect(uniswap.router().bytecode).toContain(PAIR_CODE_HASH.slice(2));
});

test('behavior: the shipped factory creates the shipped pair', () => {
  expect(uniswap.factory().bytecode).toContain(uniswap.pair().bytecode.slice(2));
});
