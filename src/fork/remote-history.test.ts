import { expect, test } from 'vitest';
import { hexToBytes, keccak256, toAddress, toHash, toPrefixedHex } from '../protocol/index.ts';
import anvil from './anvil-blocks.testing.json' with { type: 'json' };
import { HttpUpstream, pinBlock, RemoteHistory } from './index.ts';
import { RemoteFault, startRemote } from './remote.testing.ts';

type Fields = Record<string, unknown>;

const BLOCKS = anvil.osaka.blocks as readonly Fields[];
const [GENESIS = {}, FIRST = {}, SECOND = {}] = BLOCKS;
const HASHES = FIRST.transactions as readonly string[];
const hash = (text: unknown) => toHash(hexToBytes(String(text).slice(2)));
const UNKNOWN = toHash(keccak256(new Uint8Array()));
const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TOPIC = toPrefixedHex(UNKNOWN);

const place = (index: number) => ({
  blockNumber: '0x1',
  blockHash: FIRST.hash,
  transactionIndex: `0x${index.toString(16)}`,
});
const transactionAt = (index: number): Fields => ({
  ...place(index),
  hash: HASHES[index],
  from: ADDRESS,
  to: null,
  nonce: '0x0',
  value: '0x1',
  input: '0x',
});
const logAt = (number: number): Fields => ({
  ...place(0),
  blockNumber: `0x${number.toString(16)}`,
  blockHash: BLOCKS[number]?.hash ?? TOPIC,
  address: ADDRESS,
  topics: [TOPIC],
  data: '0x',
  transactionHash: TOPIC,
  logIndex: '0x0',
});
const receiptAt = (index: number): Fields => ({
  ...place(index),
  transactionHash: HASHES[index],
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  logs: [{ ...logAt(1), transactionIndex: `0x${index.toString(16)}` }],
});

/** Results of a correct remote node. */
function respond(method: string, [first, second]: readonly unknown[]): unknown {
  const index = HASHES.indexOf(String(first));
  const full = (block: Fields | undefined) =>
    block !== undefined && second === true && block === FIRST
      ? { ...block, transactions: HASHES.map((_, at) => transactionAt(at)) }
      : (block ?? null);
  switch (method) {
    case 'eth_chainId':
      return '0x7a69';
    case 'eth_getBlockByNumber':
      return full(BLOCKS.find(({ number }) => number === first));
    case 'eth_getBlockByHash':
      return full(BLOCKS.find((block) => block.hash === first));
    case 'eth_getTransactionByHash':
      return index < 0 ? null : transactionAt(index);
    case 'eth_getTransactionByBlockNumberAndIndex':
      return Number(second) < HASHES.length ? transactionAt(Number(second)) : null;
    case 'eth_getTransactionReceipt':
      return index < 0 ? null : receiptAt(index);
    case 'eth_getBlockReceipts':
      return HASHES.map((_, at) => receiptAt(at));
    case 'eth_getBalance':
      return '0x5';
    case 'eth_call':
      throw new RemoteFault(3, 'execution reverted: pruned', '0x08c379a0');
  }
  throw new RemoteFault(-32_601, `the method ${method} does not exist`);
}

/** Opens the history of a remote chain at block 2. @param change results of methods that replace the correct ones */
async function historyOf(change: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {}) {
  const remote = await startRemote((method, params) =>
    (change[method] ?? ((all) => respond(method, all)))(params),
  );
  const pinned = new HttpUpstream({ url: (await startRemote(respond)).url });
  const { point } = await pinBlock(pinned, { kind: 'number', number: 2 });
  return { history: new RemoteHistory(new HttpUpstream({ url: remote.url }), point), remote, point };
}

test('default: values are those of the remote node', async () => {
  const { history, remote } = await historyOf();
  expect(await history.block(1, false)).toEqual(FIRST);
  expect(await history.block(hash(SECOND.hash), false)).toEqual(SECOND);
  expect((await history.block(1, true))?.transactions).toEqual([0, 1, 2].map(transactionAt));
  expect(await history.transaction(hash(HASHES[1]))).toEqual(transactionAt(1));
  expect(await history.transactionByBlock(1, 2)).toEqual(transactionAt(2));
  expect(await history.receipt(hash(HASHES[2]))).toEqual(receiptAt(2));
  expect(await history.blockReceipts(1)).toEqual([0, 1, 2].map(receiptAt));
  expect(await history.forward('eth_getBalance', [ADDRESS, '0x1'], 'quantity')).toBe('0x5');
  const before = remote.bodies.length;
  await history.block(1, false);
  await history.blockReceipts(1);
  await history.forward('eth_getBalance', [ADDRESS, '0x1'], 'quantity');
  expect(remote.bodies).toHaveLength(before);
});

test('behavior: concurrent equal requests share one fetch, and no caller can change the value of another', async () => {
  const { history, remote } = await historyOf();
  const [first, second] = await Promise.all([history.block(1, false), history.block(1, false)]);
  expect(remote.bodies).toHaveLength(1);
  expect(first).toEqual(second);
  expect(first).not.toBe(second);
});

test('behavior: null for what may be absent', async () => {
  const { history } = await historyOf();
  expect(await history.block(UNKNOWN, false)).toBeNull();
  expect(await history.transaction(UNKNOWN)).toBeNull();
  expect(await history.receipt(UNKNOWN)).toBeNull();
  expect(await history.transactionByBlock(1, 3)).toBeNull();
  const later = { ...transactionAt(0), blockNumber: '0x7', blockHash: TOPIC };
  const pending = { ...transactionAt(0), blockNumber: null, blockHash: null, transactionIndex: null };
  for (const found of [later, pending]) {
    const { history: other } = await historyOf({ eth_getTransactionByHash: () => found });
    expect(await other.transaction(hash(HASHES[0]))).toBeNull();
  }
});

test.each([
  [-32_601, 'no such method'],
  [-32_600, 'the method eth_getBlockReceipts is not supported'],
])(
  'behavior: receipts of a block one by one from a remote node without eth_getBlockReceipts (%i)',
  async (code, message) => {
    const change = {
      eth_getBlockReceipts: () => {
        throw new RemoteFault(code, message);
      },
    };
    const { history } = await historyOf(change);
    expect(await history.blockReceipts(1)).toEqual([0, 1, 2].map(receiptAt));
  },
);

test.each([
  'query exceeds max block range 1',
  'Block range is too large',
  'query returned more than 10000 results',
  'Log response size exceeded',
])('behavior: a range that is refused (%s) is split', async (message) => {
  const ranges: string[] = [];
  const { history } = await historyOf({
    eth_getLogs: ([filter]) => {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      ranges.push(`${fromBlock}-${toBlock}`);
      if (fromBlock !== toBlock) throw new RemoteFault(-32_005, message);
      return [logAt(Number(fromBlock))];
    },
  });
  expect(await history.logs({ fromBlock: 0, toBlock: 2, address: ADDRESS })).toEqual([0, 1, 2].map(logAt));
  // A response that is too long as a whole is requested again alone.
  expect([...new Set(ranges)]).toEqual(['0x0-0x2', '0x0-0x1', '0x0-0x0', '0x1-0x1', '0x2-0x2']);
});

test('error: a block that the remote node has lost', async () => {
  const { history } = await historyOf({
    eth_getBlockByNumber: ([number]) => (number === '0x1' ? null : SECOND),
    eth_getBlockReceipts: () => null,
  });
  await expect(history.block(1, false)).rejects.toThrow(/has no block 1 any more, .* use an archive node/);
  await expect(history.blockReceipts(1)).rejects.toMatchObject({ code: 'REMOTE_MISSING' });
});

test('error: results of a chain without the pinned block are not cached', async () => {
  let pinned: unknown = { ...SECOND, hash: TOPIC };
  const { history } = await historyOf({
    eth_getBlockByNumber: ([number]) => (number === '0x2' ? pinned : GENESIS),
    ots_searchTransactionsBefore: () => foundAt([2, 1]),
  });
  const reads = [
    () => history.block(0, false),
    () => history.transaction(hash(HASHES[0])),
    () => history.receipt(UNKNOWN),
    () => history.blockReceipts(1),
    () => history.logs({ fromBlock: 0, toBlock: 1 }),
    () => history.search(toAddress(new Uint8Array(20)), { end: 'Before', block: 3, size: 2 }),
    () => history.forward('eth_getBalance', [ADDRESS, '0x0'], 'quantity'),
    () => history.forward('eth_call', [{ to: ADDRESS }, '0x0'], 'data'),
  ];
  for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'REMOTE_REORG' });
  pinned = null;
  for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'REMOTE_REORG' });
  pinned = SECOND;
  expect(await history.block(0, false)).toEqual(GENESIS);
  expect(await history.forward('eth_getBalance', [ADDRESS, '0x0'], 'quantity')).toBe('0x5');
});

test('error: a revert of a call has its data, is no missing state, and is not asked for again', async () => {
  const { history, remote } = await historyOf();
  for (let call = 0; call < 2; call += 1) {
    const called = history.forward('eth_call', [{ to: ADDRESS }, '0x1'], 'data');
    await expect(called).rejects.toMatchObject({
      ...{ code: 'REMOTE_CALL', rpcCode: 3, data: '0x08c379a0' },
      reported: 'execution reverted: pruned',
    });
  }
  expect(remote.bodies).toHaveLength(1);
});

test('error: a failure is not cached', async () => {
  let count = 0;
  const { history } = await historyOf({
    eth_getBalance: () => {
      count += 1;
      return count === 1 ? null : '0x7';
    },
  });
  await expect(history.forward('eth_getBalance', [ADDRESS, '0x1'], 'quantity')).rejects.toMatchObject({
    code: 'REMOTE_MISSING',
  });
  expect(await history.forward('eth_getBalance', [ADDRESS, '0x1'], 'quantity')).toBe('0x7');
});

const WRONG: readonly (readonly [
  string,
  string,
  unknown,
  (history: RemoteHistory) => Promise<unknown>,
  string,
])[] = [
  ['another block', 'eth_getBlockByNumber', GENESIS, (history) => history.block(1, false), 'REMOTE_DATA'],
  [
    'a block without hash',
    'eth_getBlockByNumber',
    { ...FIRST, hash: 5 },
    (history) => history.block(1, false),
    'REMOTE_DATA',
  ],
  ['an array', 'eth_getBlockByNumber', [], (history) => history.block(1, false), 'REMOTE_DATA'],
  [
    'another pinned block',
    'eth_getBlockByNumber',
    { ...SECOND, hash: TOPIC },
    (history) => history.block(2, false),
    'REMOTE_REORG',
  ],
  [
    'another parent',
    'eth_getBlockByNumber',
    { ...FIRST, hash: TOPIC },
    (history) => history.block(1, false),
    'REMOTE_REORG',
  ],
  [
    'another hash',
    'eth_getBlockByHash',
    FIRST,
    (history) => history.block(hash(GENESIS.hash), false),
    'REMOTE_DATA',
  ],
  [
    'another transaction',
    'eth_getTransactionByHash',
    transactionAt(0),
    (history) => history.transaction(hash(HASHES[1])),
    'REMOTE_DATA',
  ],
  [
    'another position',
    'eth_getTransactionByBlockNumberAndIndex',
    transactionAt(0),
    (history) => history.transactionByBlock(1, 1),
    'REMOTE_DATA',
  ],
  [
    'a receipt without logs',
    'eth_getTransactionReceipt',
    { ...receiptAt(0), logs: null },
    (history) => history.receipt(hash(HASHES[0])),
    'REMOTE_DATA',
  ],
  [
    'receipts in another order',
    'eth_getBlockReceipts',
    [receiptAt(1)],
    (history) => history.blockReceipts(1),
    'REMOTE_DATA',
  ],
  [
    'logs as null',
    'eth_getLogs',
    null,
    (history) => history.logs({ fromBlock: 0, toBlock: 2 }),
    'REMOTE_DATA',
  ],
  [
    'logs of other blocks',
    'eth_getLogs',
    [logAt(2)],
    (history) => history.logs({ fromBlock: 0, toBlock: 1 }),
    'REMOTE_DATA',
  ],
  [
    'logs in another order',
    'eth_getLogs',
    [logAt(2), logAt(1)],
    (history) => history.logs({ fromBlock: 0, toBlock: 2 }),
    'REMOTE_DATA',
  ],
  [
    'other logs',
    'eth_getLogs',
    [logAt(1)],
    (history) => history.logs({ fromBlock: 1, toBlock: 1, topics: [HASHES[0] ?? ''] }),
    'REMOTE_DATA',
  ],
  [
    'no balance',
    'eth_getBalance',
    '0xzz',
    (history) => history.forward('eth_getBalance', [ADDRESS, '0x1'], 'quantity'),
    'REMOTE_DATA',
  ],
];

test.each(WRONG)('error: %s (%s)', async (_name, method, value, read, code) => {
  const { history } = await historyOf({
    [method]: ([name]) => {
      // Each request is sent together with one for the pinned block.
      const isOther = name === SECOND.number && Object(value).number !== SECOND.number;
      return isOther ? SECOND : value;
    },
  });
  await expect(read(history)).rejects.toMatchObject({ code });
});

/** The result of a search of the transactions of an address. */
function foundAt(indices: readonly number[], more: Fields = {}): Fields {
  const [txs, receipts] = [indices.map(transactionAt), indices.map(receiptAt)];
  return { txs, receipts, firstPage: true, lastPage: false, ...more };
}

test('default: transactions of an address, without those after the fork', async () => {
  const later = { blockNumber: '0x7', blockHash: TOPIC };
  const found = foundAt([2, 1]);
  const [txs, receipts] = [found.txs as Fields[], found.receipts as Fields[]];
  const { history } = await historyOf({
    ots_searchTransactionsBefore: () => found,
    ots_searchTransactionsAfter: () => ({
      ...found,
      txs: [{ ...transactionAt(0), ...later }, ...txs],
      receipts: [{ ...receiptAt(0), ...later, logs: [] }, ...receipts],
      firstPage: false,
    }),
  });
  const address = toAddress(hexToBytes(ADDRESS.slice(2)));
  const search = (end: 'Before' | 'After', block: number) => history.search(address, { end, block, size: 2 });
  expect(await search('Before', 3)).toEqual({ txs, receipts, isMore: true });
  expect(await search('After', 0)).toEqual({ txs, receipts, isMore: false });
});

test.each([
  ['in another order', foundAt([1, 2])],
  [
    'of other blocks',
    foundAt([2], { txs: [{ ...transactionAt(2), blockNumber: '0x0', blockHash: GENESIS.hash }] }),
  ],
  ['with other receipts', foundAt([2], { receipts: [receiptAt(1)] })],
  ['without flags', foundAt([2], { firstPage: undefined })],
])('error: transactions of an address %s', async (_name, found) => {
  const { history } = await historyOf({ ots_searchTransactionsAfter: () => found });
  const address = toAddress(hexToBytes(ADDRESS.slice(2)));
  const search = history.search(address, { end: 'After', block: 0, size: 2 });
  await expect(search).rejects.toMatchObject({ code: 'REMOTE_DATA' });
});

test('error: a remote node without an index of the transactions of an address', async () => {
  const { history } = await historyOf();
  const search = history.search(toAddress(new Uint8Array(20)), { end: 'Before', block: 3, size: 2 });
  await expect(search).rejects.toThrow(/has no index of the transactions of an address .*Erigon/);
});
