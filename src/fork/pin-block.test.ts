import { expect, test } from 'vitest';
import { hexToBytes, toHash, toPrefixedHex } from '../protocol/index.ts';
import anvil from './anvil-blocks.testing.json' with { type: 'json' };
import {
  checkPin,
  ForkPointError,
  HttpUpstream,
  pinBlock,
  RemoteDataError,
  RemoteReorgError,
} from './index.ts';
import { RemoteFault, startRemote } from './remote.testing.ts';

type Block = Record<string, unknown>;

/** Connects to a remote node with these blocks and serialized transactions. */
async function remoteOf(blocks: readonly Block[], raw: readonly string[] = []) {
  const byNumber = (tag: unknown): Block | null =>
    (tag === 'latest' ? blocks.at(-1) : blocks.find(({ number }) => number === tag)) ?? null;
  const hashes = (blocks[1]?.transactions ?? []) as readonly string[];
  const remote = await startRemote((method, [first]) => {
    if (method === 'eth_chainId') return '0x7a69';
    if (method === 'eth_blockNumber') return blocks.at(-1)?.number;
    if (method === 'eth_getBlockByNumber') return byNumber(first);
    const index = hashes.indexOf(String(first));
    if (method === 'eth_getRawTransactionByHash' && raw.length > 0) return raw[index] ?? null;
    if (method !== 'eth_getTransactionByHash') throw new RemoteFault(-32_601, 'method not found');
    return index < 0 ? null : { hash: first, blockNumber: '0x1' };
  });
  return new HttpUpstream({ url: remote.url, retries: 0 });
}

const osaka = anvil.osaka.blocks as readonly Block[];
const sent = anvil.osaka.blocks[1]?.transactions ?? [];
const hash = (text: unknown) => toHash(hexToBytes(String(text).slice(2)));

test.each([
  ['istanbul', 'paris'],
  ['london', 'paris'],
  ['shanghai', 'shanghai'],
  ['cancun', 'cancun'],
  ['osaka', 'prague'],
] as const)(
  "default: anvil's blocks of %s have the hashes and the next base fee that anvil computes",
  async (name, hardfork) => {
    const blocks = anvil[name].blocks as readonly Block[];
    const upstream = await remoteOf(blocks);
    for (const [number, block] of blocks.entries()) {
      const { point, preceding } = await pinBlock(upstream, { kind: 'number', number });
      expect(preceding).toEqual([]);
      expect(point).toMatchObject({ chainId: 31_337n, number, hasNewerRules: false });
      expect(toPrefixedHex(point.hash)).toBe(block.hash);
      expect(toPrefixedHex(point.stateRoot)).toBe(block.stateRoot);
      // Anvil's genesis has the fields of a later fork, and its base fee stays.
      if (number > 0) expect(point.hardfork).toBe(hardfork);
      const next = number > 0 ? blocks[number + 1]?.baseFeePerGas : undefined;
      if (next !== undefined) expect(point.nextBaseFee).toBe(BigInt(String(next)));
      await checkPin(upstream, point);
    }
    expect((await pinBlock(upstream, { kind: 'latest' }, { chainId: 31_337n })).point.number).toBe(2);
  },
);

test('default: the genesis of the main network, which has no base fee', async () => {
  const zeros = (length: number): string => `0x${'00'.repeat(length)}`;
  const genesis = {
    hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    parentHash: zeros(32),
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: zeros(20),
    stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
    transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    logsBloom: zeros(256),
    difficulty: '0x400000000',
    number: '0x0',
    gasLimit: '0x1388',
    gasUsed: '0x0',
    timestamp: '0x0',
    extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
    mixHash: zeros(32),
    nonce: '0x0000000000000042',
    transactions: [],
  };
  const { point } = await pinBlock(await remoteOf([genesis]), { kind: 'number', number: 0 });
  expect(point).toMatchObject({ hardfork: 'london', baseFee: undefined, nextBaseFee: undefined });
});

test('behavior: fields that the hash does not cover are ignored', async () => {
  const london = anvil.london.blocks[1] as Block;
  const upstream = await remoteOf([{ ...london, requestsHash: london.hash, l1BlockNumber: '0x5' }]);
  expect((await pinBlock(upstream, { kind: 'latest' })).point.hardfork).toBe('paris');
});

test('behavior: a transaction stands for the state before it, with the transactions to replay', async () => {
  const upstream = await remoteOf(osaka, anvil.osaka.raw);
  const chosen = hash(sent[2]);
  const { point, preceding } = await pinBlock(upstream, { kind: 'transaction', hash: chosen });
  expect(point.number).toBe(0);
  expect(preceding.map(toPrefixedHex)).toEqual(anvil.osaka.raw.slice(0, 2));
});

test('error: transactions that are unknown, not sent, or of another root', async () => {
  const chosen = { kind: 'transaction', hash: hash(sent[2]) } as const;
  await expect(pinBlock(await remoteOf([]), chosen)).rejects.toThrow(
    /the remote chain has no transaction 0x/,
  );
  await expect(pinBlock(await remoteOf(osaka), chosen)).rejects.toThrow(/has no eth_getRawTransactionByHash/);
  const [first, second, third] = sent;
  const swapped = [osaka[0] ?? {}, { ...osaka[1], transactions: [second, first, third] }];
  const [rawFirst = '', rawSecond = '', rawThird = ''] = anvil.osaka.raw;
  await expect(pinBlock(await remoteOf(swapped, [rawSecond, rawFirst, rawThird]), chosen)).rejects.toThrow(
    /have another root/,
  );
});

test('error: a changed field of the header, unless the node is trusted', async () => {
  const changed = { ...osaka[1], stateRoot: osaka[1]?.hash };
  const upstream = await remoteOf([changed]);
  await expect(pinBlock(upstream, { kind: 'latest' })).rejects.toThrow(
    /^the header of block 1 of the remote node http:\S+ cannot be verified: .* add --fork-trust-header$/,
  );
  const { point } = await pinBlock(upstream, { kind: 'latest' }, { trustsHeader: true });
  expect(toPrefixedHex(point.stateRoot)).toBe(changed.stateRoot);
});

test('error: blocks that do not exist, are pending, or of another chain', async () => {
  const upstream = await remoteOf(osaka);
  await expect(pinBlock(upstream, { kind: 'number', number: 3 })).rejects.toThrow(
    /^block 3 does not exist on the remote node \S+; the newest is 2$/,
  );
  await expect(pinBlock(upstream, { kind: 'latest' }, { chainId: 1n })).rejects.toThrow(
    /has chain id 31337, not 1/,
  );
  const unknown = await startRemote((method) => {
    if (method === 'eth_getBlockByNumber') throw new RemoteFault(-32_000, 'unknown block');
    return '0x2';
  });
  const choice = { kind: 'number', number: 3 } as const;
  await expect(pinBlock(new HttpUpstream({ url: unknown.url }), choice)).rejects.toThrow(
    /; the newest is 2$/,
  );
  const pending = await remoteOf([{ ...osaka[1], hash: null }]);
  await expect(pinBlock(pending, { kind: 'latest' })).rejects.toThrow(ForkPointError);
  const other = await remoteOf([
    { ...osaka[1], number: '0x7' },
    { ...osaka[2], number: '0x1' },
  ]);
  await expect(pinBlock(other, { kind: 'number', number: 7 })).rejects.toThrow(ForkPointError);
});

test.each(['number', 'stateRoot', 'logsBloom', 'extraData', 'baseFeePerGas', 'hash'])(
  'error: a wrong form of %s',
  async (field) => {
    for (const value of [
      '0x',
      '0xzz',
      5,
      [],
      '0x123456789012345678901234567890123456789012345678901234567890123456789',
    ]) {
      if (field === 'extraData' && value === '0x') continue;
      const upstream = await remoteOf([{ ...osaka[1], [field]: value }]);
      await expect(pinBlock(upstream, { kind: 'latest' })).rejects.toThrow(RemoteDataError);
    }
  },
);

test('error: another block under the number of the pinned one', async () => {
  const { point } = await pinBlock(await remoteOf(osaka), { kind: 'number', number: 1 });
  const reorganised = await remoteOf([{ ...osaka[2], number: '0x1' }]);
  await expect(checkPin(reorganised, point)).rejects.toThrow(RemoteReorgError);
  await expect(checkPin(await remoteOf([]), point)).rejects.toThrow(
    /has no block at number 1, .* Fork again/,
  );
});

test('error: the native interface of ledgerd', async () => {
  const remote = await startRemote((method) => (method === 'eth_chainId' ? 255 : null));
  const upstream = new HttpUpstream({ url: remote.url, retries: 0 });
  await expect(pinBlock(upstream, { kind: 'latest' })).rejects.toThrow(/add \/ethereum to the URL/);
});
