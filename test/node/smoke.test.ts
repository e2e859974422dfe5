import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AccountRecord,
  type BlockObject,
  post,
  type ReceiptObject,
  type TransactionObject,
} from '../json-rpc.ts';
import { type Program, startProgram } from '../program.ts';

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

/** Balance that a test account starts with. */
const ENDOWMENT = 10n ** 17n;

test('default: one request, one answer', async () => {
  const response = await post(program.url, {
    jsonrpc: '2.0',
    method: 'eth_chainId',
    params: [],
    id: 'seven',
  });
  expect(response.status).toBe(200);
  expect(response.response()).toEqual({ jsonrpc: '2.0', id: 'seven', result: 255 });
});

test('behavior: any content type is served', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"net_version","params":[]}';
  for (const type of [
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
    'nonsense',
  ]) {
    const response = await post(program.url, body, { 'content-type': type });
    expect([type, response.status, response.response().result]).toEqual([type, 200, '255']);
  }
});

test('behavior: the identity of the node', async () => {
  expect(await program.call('web3_clientVersion')).toMatch(
    /^LEDGER\/\d+\.\d+\.\d+\/(Linux|Darwin|Windows)\.64-bit$/,
  );
  expect(await program.call('eth_protocolVersion')).toBe('0x3f');
  expect(await program.call('net_listening')).toBe(true);
  expect(await program.call('net_peerCount')).toBe('0x0');
  expect(await program.call('eth_syncing')).toBe(false);
  expect(await program.call('eth_gasPrice')).toBe('0x1');
  expect(await program.call('eth_mining')).toBe(true);
  expect(await program.call('web3_sha3', '0x68656c6c6f20776f726c64')).toBe(
    '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
  );
  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  expect(await program.call('eth_coinbase')).toBe(head.miner);
});

test('behavior: ten funded, unlocked accounts from 1.2.1024 on, the same on every start', async () => {
  const addresses = await program.call<string[]>('personal_listAccounts');
  expect(addresses).toEqual(
    Array.from({ length: 10 }, (_, index) => `0x${(1024 + index).toString(16).padStart(40, '0')}`),
  );
  expect(await program.call('eth_accounts')).toEqual(addresses);
  const records = await program.call<AccountRecord[]>('personal_listRawAccounts');
  expect(records.map(({ address }) => address)).toEqual(addresses);
  expect(
    records.every((record) => !record.locked && record.passphrase === '' && record.passprase === ''),
  ).toBe(true);
  expect(BigInt(await program.call<string>('eth_getBalance', addresses[9]))).toBe(ENDOWMENT);
  const other = await startProgram();
  expect(await other.call('personal_listRawAccounts')).toEqual(records);
  await other.stop();
});

test('behavior: a transfer from account to account', async () => {
  const [from, to] = await program.call<string[]>('personal_listAccounts');
  const hash = await program.call<string>('eth_sendTransaction', { from, to, value: '0x64' });
  const transaction = await program.call<TransactionObject>('eth_getTransactionByHash', hash);
  expect(transaction).toMatchObject({
    from,
    to,
    value: '0x64',
    gas: '0x14',
    gasPrice: '0x1',
    nonce: '0x0',
    input: '0x',
  });
  expect(transaction).toMatchObject({ v: '0x0', r: '0x0', s: '0x0', transactionIndex: '0x0' });
  const block = await program.call<BlockObject>('eth_getBlockByHash', transaction.blockHash, false);
  expect(block.transactions).toEqual([transaction.hash]);
  expect(await program.call('eth_getBlockByNumber', block.number, true)).toEqual({
    ...block,
    transactions: [transaction],
  });
  const receipt = await program.call<ReceiptObject>('eth_getTransactionReceipt', transaction.hash);
  expect(receipt).toMatchObject({
    status: '0x1',
    gasUsed: '0x14',
    cumulativeGasUsed: '0x14',
    contractAddress: null,
  });
  expect(BigInt(await program.call<string>('eth_getBalance', to))).toBe(ENDOWMENT + 100n);
  expect(BigInt(await program.call<string>('eth_getBalance', from))).toBe(ENDOWMENT - 120n);
  expect(await program.call('eth_getTransactionCount', from)).toBe('0x1');
  expect(await program.call('eth_getCode', to, 'latest')).toBe('');
});

test('behavior: the fixed fields of a block', async () => {
  const genesis = await program.call<BlockObject>('eth_getBlockByNumber', 'earliest', false);
  expect(genesis).toMatchObject({
    number: '0x0',
    parentHash: `0x${'0'.repeat(64)}`,
    nonce: '0x0000000000000000',
    sha3Uncles: `0x${'0'.repeat(64)}`,
    logsBloom: `0x${'0'.repeat(512)}`,
    receiptsRoot: `0x${'0'.repeat(64)}`,
    transactionsRoot: `0x${'0'.repeat(64)}`,
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x00',
    gasUsed: '0x0',
    gasLimit: '0x0',
    transactions: [],
    uncles: [],
  });
  expect(genesis.hash).toMatch(/^0x0{32}[0-9a-f]{32}$/);
  await program.call('evm_mine');
  const head = await program.call<BlockObject>('eth_getBlockByNumber', 'latest', false);
  expect(head.hash.slice(2, 34)).toBe(Number(head.number).toString(16).padStart(32, '0'));
  expect(await program.call('eth_getBlockByNumber', 'pending', false)).toEqual(head);
});

test('behavior: unknown blocks and transactions are null', async () => {
  const hash = `0x${'12'.repeat(32)}`;
  expect(await program.call('eth_getBlockByHash', hash, false)).toBeNull();
  expect(await program.call('eth_getTransactionByHash', hash)).toBeNull();
  expect(await program.call('eth_getTransactionReceipt', hash)).toBeNull();
  expect(await program.call('eth_getTransactionByBlockHashAndIndex', hash, '0x0')).toBeNull();
  expect(await program.call('eth_getTransactionByBlockNumberAndIndex', 'latest', '0xffff')).toBeNull();
  expect(await program.call('eth_getBlockByNumber', '0xffffff', false)).toBeNull();
});

test('behavior: a batch, with notifications', async () => {
  const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] });
  const { responses } = await post(program.url, [
    request(1, 'net_version'),
    { jsonrpc: '2.0', method: 'net_version', params: [] },
    request(2, 'no_such_method'),
    request(3, 'eth_gasPrice'),
  ]);
  expect(responses().map(({ id, result, error }) => [id, result ?? error?.code])).toEqual([
    [1, '255'],
    [2, -32601],
    [3, '0x1'],
  ]);
  const silent = await post(program.url, { jsonrpc: '2.0', method: 'evm_mine', params: [] });
  expect([silent.status, silent.text]).toEqual([204, '']);
});
