import { afterEach, expect, test } from 'vitest';
import { request } from '../../test/rpc-client.js';
import { toPrefixedHex } from '../protocol/index.ts';
import {
  DEFAULT_CONFIGURATION,
  DEFAULT_ETHEREUM,
  type EthereumBlock,
  startTestNode,
  type TestNode,
} from './index.ts';

const running: TestNode[] = [];

afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
});

async function start(ethereum = true) {
  const blocks: (Pick<EthereumBlock, 'gas'> & { transactions: ReturnType<EthereumBlock['transactions']> })[] =
    [];
  const node = await startTestNode(
    { ...DEFAULT_CONFIGURATION, port: 0, ...(ethereum && { network: 'local', ethereum: DEFAULT_ETHEREUM }) },
    {
      onBlock: (_block, described) => {
        if (described === undefined) return;
        blocks.push({ gas: described.gas, transactions: described.transactions() });
      },
    },
  );
  running.push(node);
  const url = `${node.url}${ethereum ? '/ethereum' : ''}`;
  const call = (method: string, ...parameters: unknown[]) => request(url, method, ...parameters);
  const { result } = await call('eth_accounts');
  const [from, to] = result as string[];
  return { node, blocks, call, from, to };
}

/** Creation code whose contract reverts always: PUSH1 0, DUP1, REVERT. */
const REVERTING = '0x635f80fd005f526003601cf3';

test('default: gas, hash, sender, receiver, created contract and failure are those of the receipts', async () => {
  const { blocks, call, from, to } = await start();
  const created = await call('eth_sendTransaction', { from, data: REVERTING });
  const { result: creation } = await call('eth_getTransactionReceipt', created.result);
  const { contractAddress } = creation as { contractAddress: string };
  const sent = [
    created.result,
    (await call('eth_sendTransaction', { from, to, value: '0x1' })).result,
    (await call('eth_sendTransaction', { from, to: contractAddress, gas: '0x186a0' })).result,
  ];
  const receipts = await Promise.all(sent.map((hash) => call('eth_getTransactionReceipt', hash)));
  const shown = blocks.flatMap(({ transactions }) => transactions);
  expect(
    shown.map(({ hash, from: sender, to: receiver, created: contract, gas, isFailure }) => ({
      transactionHash: toPrefixedHex(hash),
      from: toPrefixedHex(sender),
      to: receiver === undefined ? null : toPrefixedHex(receiver),
      contractAddress: contract === undefined ? null : toPrefixedHex(contract),
      gasUsed: `0x${gas.toString(16)}`,
      status: isFailure ? '0x0' : '0x1',
    })),
  ).toEqual(
    receipts.map(({ result }) => {
      const {
        transactionHash,
        contractAddress: address,
        gasUsed,
        status,
        ...parties
      } = result as Record<string, string>;
      return {
        ...{ transactionHash, contractAddress: address, gasUsed, status },
        ...{ from: parties.from, to: parties.to },
      };
    }),
  );
  expect(shown[1]?.gas).toBe(21_000n);
  for (const [index, { gas }] of blocks.entries()) {
    const { result: block } = await call('eth_getBlockByNumber', `0x${(index + 1).toString(16)}`, false);
    expect(`0x${gas.toString(16)}`).toBe((block as { gasUsed: string }).gasUsed);
  }
});

test('args: a block of more transactions than are described, and a chain without Ethereum', async () => {
  const { blocks, call, from, to } = await start();
  await call('evm_setAutomine', false);
  for (let sent = 0; sent < 25; sent += 1) await call('eth_sendTransaction', { from, to, gas: '0x5208' });
  await call('evm_mine');
  expect(blocks.map(({ gas, transactions }) => [gas, transactions.length])).toEqual([[25n * 21_000n, 20]]);
  const other = await start(false);
  await other.call('eth_sendTransaction', { from: other.from, to: other.to, value: '0x1' });
  expect([other.node.ledger.blocks.head().number, other.blocks]).toEqual([1, []]);
});
