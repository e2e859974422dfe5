import { describe, expect, test } from 'vitest';
import { assemble } from '../../src/evm/testing/assembler.testing.ts';
import type { TestNode } from '../../src/node/index.ts';
import { call, children, isLinux, start } from './nodes.ts';

const ALICE = '0x0000000000000000000000000000000000000400';
const GAS = '0xffffff';

/** v, r and s of a signature. */
const SIGNATURE = [
  '1c'.padStart(64, '0'),
  'd1d57470a244004782dc099dd57d37396f9604f80d0028c73dbb05af867e40fc',
  '30e3495a98133bb6b61d04b97fd1d6ef12cbad3ff3f1570b5050dc796edda877',
].join('');

/** Maximum bytes of the program below. */
const PROGRAM_BYTES = 64;

/** Init code that recovers the signers of so many hashes, from the one after this on, and stores the last one. */
function recoverMany(hash: number, count: number): string {
  const program = assemble(
    `128 ${PROGRAM_BYTES} 0 CODECOPY ${count} :next 0 MLOAD 1 ADD 0 MSTORE 32 128 128 0 1 GAS STATICCALL POP ` +
      '1 SWAP1 SUB DUP1 @next JUMPI 128 MLOAD 0 SSTORE',
  );
  const code = Buffer.from(program)
    .toString('hex')
    .padEnd(2 * PROGRAM_BYTES, '0');
  return `0x${code}${hash.toString(16).padStart(64, '0')}${SIGNATURE}`;
}

/** Values that must not depend on prewarming. */
async function outcomesOf(node: TestNode, hashes: readonly unknown[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const hash of hashes) {
    const { result } = await call(node, 'eth_getTransactionReceipt', hash);
    const { status, gasUsed, contractAddress } = result as Record<string, unknown>;
    outcomes.push({ status, gasUsed, contractAddress });
  }
  const { result: head } = await call(node, 'eth_getBlockByNumber', 'latest', false);
  return [...outcomes, (head as Record<string, unknown>).stateRoot];
}

async function send(node: TestNode, data: string, gas: string | undefined = GAS): Promise<unknown> {
  return (await call(node, 'eth_sendTransaction', { from: ALICE, data, gas })).result;
}

describe('prewarmed transactions', () => {
  test('default: results with prewarming equal results without it', async () => {
    const sends = async (workers: number): Promise<unknown[]> => {
      const { node } = await start({ workers });
      const hashes: unknown[] = [];
      for (const data of [
        recoverMany(1, 50),
        recoverMany(1, 60_000),
        recoverMany(20, 50),
        '0x5f5ffd',
        '0xfe',
      ]) {
        hashes.push(await send(node, data));
      }
      hashes.push(await send(node, recoverMany(40, 300), undefined));
      return outcomesOf(node, hashes);
    };
    const outcomes = await sends(0);
    expect(outcomes).toMatchObject([
      { status: '0x1' },
      { status: '0x0', gasUsed: GAS },
      { status: '0x1' },
      { status: '0x0' },
      { status: '0x0' },
      { status: '0x1' },
      expect.stringMatching(/^0x/),
    ]);
    expect(await sends(2)).toEqual(outcomes);
  });

  test.runIf(isLinux)('behavior: results are the same when the worker dies midway', async () => {
    const { node, notices } = await start({ workers: 1 });
    const sent = send(node, recoverMany(100, 5_000));
    // The response to a later request proves that the node has read the transaction.
    await call(node, 'eth_blockNumber');
    for (const child of children()) process.kill(child, 'SIGKILL');
    const lost = await outcomesOf(node, [await sent]);
    expect(notices).toMatchObject([{ kind: 'workerLost' }]);
    const { node: other } = await start({ workers: 0 });
    expect(await outcomesOf(other, [await send(other, recoverMany(100, 5_000))])).toEqual(lost);
  });

  test('error: a malformed transaction', async () => {
    const { node } = await start({ workers: 1 });
    const refused = await call(node, 'eth_sendTransaction', { from: ALICE, data: '0xf', gas: GAS });
    expect(refused).toMatchObject({ error: { code: -32602 } });
    const unknown = { from: '0x0000000000000000000000000000000000000bad', data: '0x00', gas: GAS };
    expect(await call(node, 'eth_sendTransaction', unknown)).toHaveProperty('error');
  });
});
