import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { toAddress, toPrefixedHex } from '../../protocol/index.ts';
import { encodeBatch } from './batch-call.ts';

test('default: a batch is encoded as viem does', () => {
  const abi = parseAbi([
    'struct Call { address target; uint256 value; bytes data; }',
    'function executeBatch(Call[] calls)',
  ]);
  const calls = [0, 1, 31, 32, 33].map((length, index) => ({
    to: toAddress(new Uint8Array(20).fill(index + 1)),
    value: 2n ** BigInt(index * 60),
    data: new Uint8Array(length).fill(0xab),
  }));
  const args = [
    calls.map(({ to, value, data }) => ({ target: toPrefixedHex(to), value, data: toPrefixedHex(data) })),
  ] as const;
  expect(toPrefixedHex(encodeBatch(calls))).toBe(
    encodeFunctionData({ abi, functionName: 'executeBatch', args }),
  );
});
