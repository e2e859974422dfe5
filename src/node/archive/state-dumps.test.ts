import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DEFAULT_ETHEREUM,
  exportBlocks,
  importBlocks,
  type NodeNotice,
  type TestNode,
  type TestNodeConfiguration,
} from '../index.ts';
import { verifyChain } from '../maintenance/verify.ts';
import { isOfNode } from '../notices.testing.ts';
import { callEthereum, call as callLedger, closeNodes, startNode } from '../test-chain/test-chain.testing.ts';

/** A dump of anvil 1.7.1: a contract that returns 42, a transfer of 5 wei, and a slot of its receiver. */
const FILE = new URL('../state-dump/anvil-state.testing.json', import.meta.url);
const DUMP = JSON.parse(readFileSync(FILE, 'utf8'));
const ANSWERING = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const RECEIVER = '0x1111111111111111111111111111111111111111';
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const JOB = { stop: new AbortController().signal, onProgress: () => undefined };
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

let folder: string;
const notices: NodeNotice[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  notices.length = 0;
});

afterEach(async () => {
  await closeNodes();
  rmSync(folder, { recursive: true });
});

const start = (changes: Partial<TestNodeConfiguration> = {}): Promise<TestNode> =>
  startNode(
    { network: 'local', ethereum: DEFAULT_ETHEREUM, ...changes },
    { onNotice: (notice) => isOfNode(notice) && notices.push(notice) },
  );

const compressed = (text: string | Uint8Array): string => `0x${gzipSync(text).toString('hex')}`;
const plain = (text: string): string => `0x${Buffer.from(text).toString('hex')}`;
const call = callEthereum;
const load = (node: TestNode, dump: object): Promise<unknown> =>
  call(node, 'anvil_loadState', compressed(JSON.stringify(dump)));

/** The dump with other members of an account. */
const withAccount = (members: object, address = RECEIVER): object => ({
  ...DUMP,
  accounts: {
    ...DUMP.accounts,
    [address]: { nonce: 0, balance: '0x5', code: '0x', storage: {}, ...members },
  },
});

async function expectLoaded(node: TestNode): Promise<void> {
  const reads = [
    call(node, 'eth_blockNumber'),
    call(node, 'eth_call', { to: ANSWERING }, 'latest'),
    call(node, 'eth_getBalance', RECEIVER, 'latest'),
    call(node, 'eth_getBalance', SENDER, 'latest'),
    call(node, 'eth_getTransactionCount', SENDER, 'latest'),
    call(node, 'eth_getStorageAt', RECEIVER, '0x1', 'latest'),
    call(node, 'eth_getCode', ANSWERING, '0x2'),
    call(node, 'eth_getBalance', RECEIVER, '0x2'),
  ];
  expect(await Promise.all(reads)).toEqual([
    '0x2',
    word(42),
    '0x5',
    DUMP.accounts[SENDER].balance,
    '0x2',
    word(5),
    DUMP.accounts[ANSWERING].code,
    '0x5',
  ]);
}

describe('a state dump of anvil', () => {
  test('default: its state, and its newest block', async () => {
    const node = await start();
    await call(node, 'anvil_mine', 7);
    expect(await load(node, DUMP)).toBe(true);
    await expectLoaded(node);
    const { block, blocks } = DUMP;
    expect(await call(node, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
      timestamp: block.timestamp,
      baseFeePerGas: blocks[2].header.baseFeePerGas,
      gasLimit: '0x1c9c380',
      mixHash: block.prevrandao,
    });
    expect(await call(node, 'eth_getBlockByNumber', '0x0', false)).toBe(null);
    // EIP-1559 after a block with one transfer.
    await call(node, 'evm_mine');
    expect(await call(node, 'eth_getBlockByNumber', '0x3', false)).toMatchObject({
      baseFeePerGas: `0x${(766_181_655).toString(16)}`,
    });
  });

  test('args: plain JSON, hexadecimal numbers and decimal ones, and without blocks', async () => {
    const node = await start();
    expect(await call(node, 'anvil_loadState', plain(JSON.stringify(DUMP, undefined, 2)))).toBe(true);
    await expectLoaded(node);
    const { accounts } = DUMP;
    const sparse = {
      block: { number: 2, timestamp: 1_900_000_000 },
      accounts: { ...accounts, [RECEIVER]: { balance: '5', storage: { '0x1': '0x5' } } },
    };
    expect(await load(node, sparse)).toBe(true);
    await expectLoaded(node);
    expect(await load(node, { accounts, block: null, blocks: null })).toBe(true);
    expect(await call(node, 'eth_blockNumber')).toBe('0x0');
    expect(await call(node, 'eth_getBalance', RECEIVER, 'latest')).toBe('0x5');
  });

  test('behavior: the state is that of the block: after a rollback, a snapshot, a restart', async () => {
    const configuration = { dataDir: join(folder, 'node') };
    let node = await start(configuration);
    await load(node, DUMP);
    const send = () => call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x1' });
    const balance = () => call(node, 'eth_getBalance', RECEIVER, 'latest');
    const id = await call(node, 'evm_snapshot');
    await send();
    expect(await balance()).toBe('0x6');
    await call(node, 'evm_revert', id);
    await expectLoaded(node);
    await closeNodes();
    node = await start(configuration);
    await expectLoaded(node);
    await send();
    await call(node, 'anvil_rollback', 1);
    await expectLoaded(node);
    await send();
    await call(node, 'anvil_reorg', { depth: 1, tx_block_pairs: [] });
    expect([await call(node, 'eth_blockNumber'), await balance()]).toEqual(['0x3', '0x5']);
  });

  test('behavior: a balance that an account cannot hold is cut, and reported', async () => {
    const node = await start();
    const [balance, most] = [`0x${'f'.repeat(64)}`, `0x${((2n ** 63n - 1n) * 10n ** 10n).toString(16)}`];
    expect(await load(node, withAccount({ balance }))).toBe(true);
    expect(await call(node, 'eth_getBalance', RECEIVER, 'latest')).toBe(most);
    await call(node, 'anvil_setBalance', RECEIVER, '0x1');
    expect(await call(node, 'anvil_setBalance', RECEIVER, balance)).toBe(null);
    expect(await call(node, 'eth_getBalance', RECEIVER, 'latest')).toBe(most);
    expect(notices.map(({ kind }) => kind)).toEqual(['balanceCut', 'balanceCut']);
  });

  test.each<[title: string, dump: () => string, message: string | RegExp]>([
    ['no JSON', () => compressed('{"accounts":'), /^.*the dump is not JSON: /],
    ['no accounts', () => plain('{}'), 'accounts: expected an object, got nothing'],
    ['a list of accounts', () => plain('{"accounts":[]}'), 'accounts: expected an object, got []'],
    [
      'a wrong address',
      () => compressed(JSON.stringify(withAccount({}, '0x11'))),
      'a name in accounts: expected 0x and 40 hexadecimal digits, got "0x11"',
    ],
    [
      'a balance that is no number',
      () => compressed(JSON.stringify(withAccount({ balance: true }))),
      `accounts["${RECEIVER}"].balance: expected a number from 0 to`,
    ],
    [
      'a negative nonce',
      () => compressed(JSON.stringify(withAccount({ nonce: -1 }))),
      `accounts["${RECEIVER}"].nonce: expected a number from 0 to 18446744073709551614, got -1`,
    ],
    [
      'odd digits of code',
      () => compressed(JSON.stringify(withAccount({ code: '0x1' }))),
      `accounts["${RECEIVER}"].code: expected 0x and pairs of hexadecimal digits, got "0x1"`,
    ],
    [
      'code beyond the limit',
      () => compressed(JSON.stringify(withAccount({ code: `0x${'00'.repeat(2 ** 20 + 1)}` }))),
      `accounts["${RECEIVER}"].code: expected at most 1048576 bytes of code, got 1048577`,
    ],
    [
      'a slot beyond 32 bytes',
      () => compressed(JSON.stringify(withAccount({ storage: { [`0x1${'0'.repeat(64)}`]: '0x1' } }))),
      `a name in accounts["${RECEIVER}"].storage: expected a number`,
    ],
    [
      'a value that is no word',
      () => compressed(JSON.stringify(withAccount({ storage: { '0x1': null } }))),
      `accounts["${RECEIVER}"].storage["0x1"]: expected a number`,
    ],
    [
      'an account twice',
      () =>
        compressed(JSON.stringify(withAccount({ balance: '0x7' }, SENDER.toUpperCase().replace('X', 'x')))),
      'accounts cannot be set: ',
    ],
    [
      'more ether than all accounts together can have',
      () =>
        compressed(
          JSON.stringify({
            ...DUMP,
            accounts: Object.fromEntries(
              [1, 2, 3].map((digit) => [`0x${String(digit).repeat(40)}`, { balance: `0x${'f'.repeat(64)}` }]),
            ),
          }),
        ),
      'accounts cannot be set: ',
    ],
    [
      'code of a native account',
      () => compressed(JSON.stringify(withAccount({ code: '0x00' }, `0x${'0'.repeat(37)}400`))),
      `accounts["0x${'0'.repeat(37)}400"] cannot be set: `,
    ],
    [
      'a block beyond the last number',
      () => compressed(JSON.stringify({ ...DUMP, best_block_number: 2 ** 32 })),
      'best_block_number: expected a number from 0 to 4294967294, got 4294967296',
    ],
    [
      'a time beyond the last one',
      () => compressed(JSON.stringify({ ...DUMP, block: { ...DUMP.block, timestamp: '0xffffffff' } })),
      'block.timestamp: expected a number from 0 to',
    ],
    [
      'cut gzip',
      () => compressed(JSON.stringify(DUMP)).slice(0, -40),
      'the compressed dump is damaged or cut: unexpected end of file',
    ],
    ['no dump', () => '0x00', 'neither a ledgerd archive nor a state dump of anvil'],
    ['nothing', () => '0x', 'neither a ledgerd archive nor a state dump of anvil'],
  ])('error: %s changes nothing', async (_title, dump, message) => {
    const node = await start();
    await call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x7' });
    const before = await call(node, 'eth_getBlockByNumber', 'latest', false);
    const error = await call(node, 'anvil_loadState', dump());
    expect(error).toMatchObject({ code: -32602 });
    expect((error as { message: string }).message).toMatch(message);
    expect(await call(node, 'eth_getBlockByNumber', 'latest', false)).toEqual(before);
    expect(await call(node, 'eth_getBalance', RECEIVER, 'latest')).toBe('0x7');
    expect(await call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER })).toMatch(/^0x/);
  });

  test('error: a decompression bomb, and more accounts and slots than a chain takes', async () => {
    const node = await start();
    const bomb = Buffer.alloc(300 * 2 ** 20, ' ');
    bomb.write('{"a":"');
    expect(await call(node, 'anvil_loadState', compressed(bomb))).toMatchObject({
      code: -32005,
      message: expect.stringMatching(/exceeds the limit of|a dump has at most/),
    });
    const storage = Object.fromEntries(Array.from({ length: 500_001 }, (_, slot) => [slot, 1]));
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ accounts: { [RECEIVER]: { storage } } }));
    await expect(start({ stateFiles: { load: folder } })).rejects.toThrow(
      'the dump has 500002 accounts and slots, and a chain takes at most 500000 of one',
    );
    expect(await call(node, 'eth_blockNumber')).toBe('0x0');
  });

  test('error: a chain without Ethereum', async () => {
    const node = await startNode();
    expect(await callLedger(node, 'anvil_loadState', compressed(JSON.stringify(DUMP)))).toMatchObject({
      message: 'a state dump of anvil needs a chain with Ethereum: start with --ethereum',
    });
  });
});

describe('the state dump of a chain', () => {
  const textOf = (dump: unknown): string => gunzipSync(Buffer.from(String(dump).slice(2), 'hex')).toString();

  test('default: its accounts; loaded here, all of its blocks', async () => {
    const node = await start();
    const hash = await call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x7' });
    await call(node, 'anvil_setStorageAt', RECEIVER, '0x2', word(9));
    const receipt = await call(node, 'eth_getTransactionReceipt', hash);
    const dump = await call(node, 'anvil_dumpState');
    expect(JSON.parse(textOf(dump))).toMatchObject({
      best_block_number: 1,
      block: { number: '0x1' },
      blocks: [{ header: { number: '0x1', gasUsed: '0x5208' } }],
      accounts: { [RECEIVER]: { balance: '0x7', nonce: 0, code: '0x', storage: { [word(2)]: word(9) } } },
    });
    await call(node, 'anvil_reset');
    expect(await call(node, 'anvil_loadState', dump)).toBe(true);
    expect(await call(node, 'eth_getTransactionReceipt', hash)).toEqual(receipt);
    expect(await call(node, 'eth_getStorageAt', RECEIVER, '0x2', 'latest')).toBe(word(9));
  });

  test('behavior: with changed accounts the state is loaded, without blocks before the newest', async () => {
    const node = await start();
    await call(node, 'anvil_mine', 3);
    const dump = JSON.parse(textOf(await call(node, 'anvil_dumpState')));
    dump.accounts[RECEIVER] = { nonce: 0, balance: '0x9', code: '0x', storage: {} };
    expect(await load(node, dump)).toBe(true);
    expect(await call(node, 'eth_getBalance', RECEIVER, 'latest')).toBe('0x9');
    expect(await call(node, 'eth_blockNumber')).toBe('0x3');
    expect(await call(node, 'eth_getBlockByNumber', '0x1', false)).toBe(null);
  });

  test('behavior: a chain that continues a dump is dumped and loaded again', async () => {
    const node = await start();
    await load(node, DUMP);
    for (const dumping of [call, callLedger]) {
      const dump = await dumping(node, 'anvil_dumpState');
      await call(node, 'evm_mine');
      expect(await call(node, 'anvil_loadState', dump)).toBe(true);
      await expectLoaded(node);
    }
  });
});

describe('commands', () => {
  test('behavior: verify, export and import of a chain that continues a dump', async () => {
    const [dataDir, copy, file] = ['node', 'copy', 'blocks'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const node = await start({ dataDir });
    await load(node, DUMP);
    await call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x1' });
    await closeNodes();
    expect(await verifyChain(dataDir, JOB)).toMatchObject({ head: 3 });
    const target = { file, resume: false };
    expect(await exportBlocks({ dataDir, from: undefined, to: undefined, target }, JOB)).toMatchObject({
      first: 2,
      last: 3,
    });
    const source = createReadStream(file);
    const options = { dataDir: copy, source, last: undefined, to: undefined, history: undefined };
    expect(await importBlocks(options, JOB)).toMatchObject({ imported: 2, head: 3 });
    const imported = await start({ dataDir: copy });
    expect(await call(imported, 'eth_getBalance', RECEIVER, 'latest')).toBe('0x6');
    expect(await call(imported, 'eth_call', { to: ANSWERING }, 'latest')).toBe(word(42));
  });
});

describe('state files', () => {
  test('default: the file of a stopped node is that of the next start', async () => {
    const state = join(folder, 'chain.json');
    const stateFiles = { load: state, isLoadOptional: true, dump: state };
    let node = await start({ stateFiles });
    const hash = await call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x7' });
    await closeNodes();
    node = await start({ stateFiles });
    expect(await call(node, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    expect(notices.map(({ kind }) => kind)).toEqual(['stateDumped', 'stateLoaded']);
  });

  test('args: hexadecimal text, a chain without Ethereum, a folder', async () => {
    const file = join(folder, 'state.json');
    writeFileSync(file, `"${compressed(JSON.stringify(DUMP))}"\n`);
    await expectLoaded(await start({ stateFiles: { load: folder } }));
    const plainNode = await startNode({ stateFiles: { dump: folder } });
    await callLedger(plainNode, 'anvil_mine', 3);
    await closeNodes();
    expect(await callLedger(await startNode({ stateFiles: { load: file } }), 'eth_blockNumber')).toBe('0x3');
  });

  test('behavior: a data folder with blocks continues, and reports it', async () => {
    writeFileSync(join(folder, 'state.json'), JSON.stringify(DUMP));
    const changes = { dataDir: join(folder, 'node'), stateFiles: { load: folder } };
    let node = await start(changes);
    await call(node, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x1' });
    await closeNodes();
    node = await start(changes);
    expect(await call(node, 'eth_getBalance', RECEIVER, 'latest')).toBe('0x6');
    expect(notices.map(({ kind }) => kind)).toEqual(['stateLoaded', 'stateNotLoaded']);
  });

  test('behavior: a failed start leaves the file', async () => {
    const file = join(folder, 'state.json');
    writeFileSync(file, 'kept');
    const { port } = await start();
    await expect(start({ port, stateFiles: { dump: file } })).rejects.toThrow('EADDRINUSE');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  test.each([
    ['missing.json', 'does not exist'],
    ['wrong.hex', 'expected 0x and pairs of hexadecimal digits'],
    ['wrong.json', 'accounts: expected an object, got 7'],
  ])('error: %s', async (name, message) => {
    writeFileSync(join(folder, 'wrong.hex'), '0x123');
    writeFileSync(join(folder, 'wrong.json'), '{"accounts":7}');
    const file = join(folder, name);
    await expect(start({ stateFiles: { load: file } })).rejects.toThrow(
      new RegExp(`the state file ${file}: .*${message.replace('[', '\\[')}`),
    );
  });

  test('error: a folder that is missing', async () => {
    await expect(start({ stateFiles: { dump: join(folder, 'none', 'state.json') } })).rejects.toThrow(
      'does not exist',
    );
  });
});
