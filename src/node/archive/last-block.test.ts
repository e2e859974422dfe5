import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from '../index.ts';
import { callEthereum, closeNodes, startNode } from '../test-chain/test-chain.testing.ts';

const [SENDER, RECEIVER] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', `0x${'11'.repeat(20)}`];

afterEach(closeNodes);

test('error: a dump of the last possible block, and a block after it', async () => {
  const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
  const ask = (method: string, ...params: readonly unknown[]) => callEthereum(node, method, ...params);
  const load = (members: object) => {
    const dump = { ...members, accounts: { [SENDER]: { balance: '0xde0b6b3a7640000' } } };
    return ask('anvil_loadState', `0x${gzipSync(JSON.stringify(dump)).toString('hex')}`);
  };
  expect(await load({ block: { number: 2 ** 32 - 1 } })).toMatchObject({
    code: -32602,
    message: expect.stringContaining('block.number: expected a number from 0 to 4294967294, got 4294967295'),
  });
  expect(await ask('eth_blockNumber')).toBe('0x0');
  expect(await load({ best_block_number: 2 ** 32 - 2 })).toBe(true);
  const sent = { from: SENDER, to: RECEIVER, value: '0x1' };
  expect(await ask('eth_sendTransaction', sent)).toMatch(/^0x/);
  expect(await ask('eth_blockNumber')).toBe('0xffffffff');
  const refused = {
    code: -32000,
    message: 'block 4294967295 has the greatest possible number: no block comes after it',
  };
  expect(await ask('eth_sendTransaction', sent)).toEqual(refused);
  expect(await ask('evm_mine')).toEqual(refused);
  expect(await ask('eth_call', { to: RECEIVER }, 'latest')).toBe('0x');
  expect(await ask('eth_getBalance', RECEIVER, 'latest')).toBe('0x1');
});
