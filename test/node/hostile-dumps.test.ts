import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ByteSource, readHeader } from '../../src/node/archive/archive-reader.ts';
import { encodeEntry, encodeHeader } from '../../src/node/archive/format.ts';
import { post, type RpcResponse } from '../json-rpc.ts';
import { NodeProcess } from '../node-process.ts';
import { resultOf } from '../rpc-client.js';

const MEBIBYTE = 1024 * 1024;
const ANYWHERE = `0x${'11'.repeat(20)}`;
/** A heap that what these dumps become in memory would not fit. */
const HEAP = ['env', 'NODE_OPTIONS=--max-old-space-size=512'];

let node: NodeProcess;
let url: string;
let genesis: Uint8Array;

beforeAll(async () => {
  node = new NodeProcess(['start', '--port', '0', '--log-format', 'json'], HEAP);
  url = await node.ready();
  await call('anvil_setCode', ANYWHERE, '0x00');
  const dump = gunzipSync(Buffer.from((await call<string>('anvil_dumpState')).slice(2), 'hex'));
  ({ genesis } = await readHeader(new ByteSource(Readable.from([dump]))));
});
afterAll(() => node.end('SIGKILL'));

async function ask(method: string, ...params: readonly unknown[]): Promise<RpcResponse> {
  return (await post(url, { jsonrpc: '2.0', id: 1, method, params })).response();
}

const call = async <T>(method: string, ...params: readonly unknown[]): Promise<T> =>
  resultOf<T>(method, await ask(method, ...params));

function uint32Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A frame of so many bytes of a value. */
function frame(length: number, value = 0): Buffer {
  return Buffer.concat([uint32Bytes(length), Buffer.alloc(length, value)]);
}

function repeated(part: Uint8Array, bytes: number): Buffer {
  return Buffer.alloc(Math.floor(bytes / part.length) * part.length, part);
}

/** An archive with valid digests, one chunk and an end mark. */
function archive(kind: 'blocks' | 'patches', count: number, frames: Uint8Array): Buffer {
  const packed = gzipSync(frames);
  const payload = kind === 'blocks' ? packed : Buffer.concat([uint32Bytes(1), packed]);
  const first = kind === 'blocks' ? 1 : 0;
  return Buffer.concat([
    encodeHeader({ chain: 'test', genesis }),
    encodeEntry(kind, first, count, payload),
    encodeEntry('end', first, kind === 'blocks' ? count : 0, new Uint8Array()),
  ]);
}

/** A frame of a byte, very many times. */
const TINY_FRAMES = 13_000_000;
const tinyFrames = (): Buffer => repeated(frame(1, 7), 5 * TINY_FRAMES);

/** A patch that sets very many balances. */
function balances(): Buffer {
  const items = repeated(Buffer.alloc(21, 1), 40 * MEBIBYTE);
  return Buffer.concat([uint32Bytes(items.length + 6), Buffer.from([0, 0, 0x80, 0x80, 0x80, 0x01]), items]);
}

test.each<[title: string, dump: () => Buffer, code: number, message: string]>([
  [
    'very many frames of a byte, counted right',
    () => archive('blocks', TINY_FRAMES, tinyFrames()),
    -32602,
    `the chunk of block 1 of the archive is damaged: its header has ${TINY_FRAMES} blocks, and a chunk has at most`,
  ],
  [
    'very many frames of a byte, said to be one',
    () => archive('blocks', 1, tinyFrames()),
    -32602,
    'the chunk of block 1 of the archive is damaged: frames[0] at byte 4: a block of 1 bytes, and none has fewer',
  ],
  [
    'more blocks than it says',
    () => archive('blocks', 1, repeated(frame(156), 62 * MEBIBYTE)),
    -32602,
    'the archive has block 0 at the position of block 1',
  ],
  [
    'a block beyond the memory budget',
    () => archive('blocks', 1, frame(62 * MEBIBYTE)),
    -32005,
    'what the node would hold for its clients exceeds the limit of',
  ],
  [
    'a patch that sets millions of balances',
    () => archive('patches', 1, balances()),
    -32602,
    'the patches after block 0 of the archive is damaged',
  ],
  [
    'a genesis of very many producers',
    () => Buffer.from(encodeHeader({ chain: 'test', genesis: Buffer.alloc(40 * MEBIBYTE, 1) })),
    -32005,
    'a dump has at most 4194304 bytes of its genesis',
  ],
])('error: %s is refused, others are served, and the node lives', async (_title, dump, code, message) => {
  const state = `0x${gzipSync(dump()).toString('hex')}`;
  expect(state.length).toBeLessThan(2 * MEBIBYTE);
  let isOver = false;
  const attack = ask('anvil_loadState', state).finally(() => {
    isOver = true;
  });
  do expect(await call('eth_blockNumber')).toBe('0x0');
  while (!isOver);
  const { error } = await attack;
  expect(error?.message).toContain(message);
  expect(error?.code).toBe(code);
  expect(await call('eth_getCode', ANYWHERE, 'latest')).toBe('0x00');
  expect(node.isRunning).toBe(true);
});

test('error: the same file is refused by the command, which names the chunk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  try {
    const file = join(folder, 'archive');
    writeFileSync(file, archive('blocks', TINY_FRAMES, tinyFrames()));
    const words = ['bin/ledgerd.js', 'import', '--data-dir', join(folder, 'data'), file];
    const run = spawnSync(process.execPath, ['--max-old-space-size=512', ...words], { encoding: 'utf8' });
    expect(run.stderr).toContain('the chunk of block 1 of the archive is damaged');
    expect(run.status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
