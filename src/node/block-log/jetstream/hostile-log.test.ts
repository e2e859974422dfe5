import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { verifyState } from '../../../ledger/index.ts';
import { accountId, type BlockId, concatBytes } from '../../../protocol/index.ts';
import { openStoreForReading } from '../../../store/index.ts';
import { dataFolderAt } from '../../data-folder.ts';
import { changeGenesis, TestNodes, type WatchedNode } from '../../node.testing.ts';
import { messagesOf } from './entry.ts';
import { jetStreamSource } from './jetstream.ts';
import { blockAfter, type LogBlock } from './log-chain.testing.ts';
import { LogConnection } from './log-connection.ts';
import { NATS_SERVER, NatsServers } from './nats-servers.testing.ts';
import { namesOf } from './stream.ts';
import { testWithServer } from './with-server.testing.ts';

const WAIT_MS = 300_000;

const nodes = new TestNodes();
let servers: NatsServers;
let folders: readonly [string, string];
let first: WatchedNode;
let second: WatchedNode;
let attacker: LogConnection;

beforeAll(async () => {
  if (NATS_SERVER !== undefined) servers = await NatsServers.start();
}, WAIT_MS);
afterAll(() => servers?.stop());

beforeEach(async () => {
  if (NATS_SERVER === undefined) return;
  const whole = await nodes.initialize(0.2);
  changeGenesis(whole, (genesis) => ({ ...genesis, producers: [accountId(1_023), accountId(1_022)] }));
  const copyWith = (kept: string): string => {
    const copy = nodes.unused();
    cpSync(whole, copy, { recursive: true });
    for (const name of ['producer', 'registrar', 'treasury']) {
      if (name !== kept) rmSync(join(dataFolderAt(copy).keys, `${name}.json`));
    }
    return copy;
  };
  folders = [copyWith('producer'), copyWith('registrar')];
  const settings = servers.settings();
  const log = jetStreamSource(settings);
  first = await nodes.start(folders[0], { log });
  second = await nodes.start(folders[1], { log });
  attacker = await LogConnection.open(settings);
  await both((head) => head >= 3);
}, WAIT_MS);

afterEach(async () => {
  await attacker?.close();
  await nodes.clean();
});

/** Waits until both nodes have a block. */
async function both(isFar: (head: number) => boolean): Promise<void> {
  for (const node of [first, second]) await node.until(() => isFar(node.ledger.blocks.head().number));
}

/** Publishes a block as any program may that has the right to. */
async function publish({ number, bytes }: Pick<LogBlock, 'number' | 'bytes'>): Promise<void> {
  const { chainId } = first.ledger.parameters;
  const { blocks } = namesOf({ chainId, genesisId: first.ledger.blocks.head().id });
  for (const { headers, data } of messagesOf(number, bytes)) {
    await attacker.request(blocks, data, attacker.headers(headers));
  }
}

const head = () => first.ledger.blocks.head();

testWithServer(
  'behavior: what does not follow the last block is passed over',
  { timeout: WAIT_MS },
  async () => {
    const { number, id } = head();
    const idAt = (of: number): BlockId => {
      const found = first.ledger.blocks.blockByNumber(of);
      if (found === undefined) throw new RangeError(`there is no block ${of}`);
      return found.id;
    };
    for (const block of [
      blockAfter(number + 3, blockAfter(number + 2, id, 'never').id, 'far ahead'),
      blockAfter(number, idAt(number - 1), 'of a number that is taken'),
      blockAfter(number + 1, blockAfter(number, id, 'never').id, 'of a parent that there is not'),
      blockAfter(1, idAt(0), 'the first again'),
    ]) {
      await publish(block);
    }
    await both((now) => now >= number + 4);
    expect(first.ledger.blocks.blockByNumber(number + 4)?.id).toEqual(
      second.ledger.blocks.blockByNumber(number + 4)?.id,
    );
    for (const node of [first, second]) {
      expect(node.notices.map(({ kind }) => kind)).not.toContain('logHalted');
      expect(await node.health()).toMatchObject({ status: 200 });
    }
  },
);

testWithServer.each<[string, (parent: ReturnType<typeof head>) => Uint8Array, RegExp]>([
  [
    'a forged block',
    ({ number, id }) => blockAfter(number + 1, id, 'forged').bytes,
    /block \d+ rejected|cannot be read/,
  ],
  [
    'a block with something behind it',
    ({ number, id }) => concatBytes(blockAfter(number + 1, id).bytes, new Uint8Array(700_000)),
    /cannot be read|rejected/,
  ],
])('behavior: %s in the next place: nodes stop and stay whole', { timeout: WAIT_MS }, async (...row) => {
  const [, forge, reason] = row;
  const isHalted = (node: WatchedNode) => node.notices.some(({ kind }) => kind === 'logHalted');
  // Others may be quicker, and then it is passed over.
  while (!isHalted(first)) {
    const parent = head();
    await publish({ number: parent.number + 1, bytes: forge(parent) });
    await first.until(() => isHalted(first) || head().number > parent.number);
  }
  await second.until(() => isHalted(second));
  for (const node of [first, second]) {
    const { status, report } = await node.health();
    expect(status).toBe(503);
    expect(JSON.stringify(report)).toMatch(reason);
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
    expect(await node.call('eth_blockNumber')).toMatchObject({ result: expect.stringMatching(/^0x/) });
  }
  expect(first.ledger.blocks.head().id).toEqual(second.ledger.blocks.head().id);
  await nodes.clean();
});

testWithServer.each<[string, boolean, RegExp]>([
  ['deleted', false, /has no stream ledgerd-[0-9a-f]{16}: .*ledgerd block-log seed/],
  ['deleted and recreated', true, /has no stream ledgerd-|was recreated/],
])('error: the stream is %s: nodes halt and health says so', { timeout: WAIT_MS }, async (...row) => {
  const [, isCreated, reason] = row;
  const { chainId } = first.ledger.parameters;
  const { stream } = namesOf({ chainId, genesisId: first.ledger.blocks.head().id });
  const { streams } = attacker.manager;
  const { config } = await streams.info(stream);
  await streams.delete(stream);
  if (isCreated) await streams.add(config);
  for (const node of [first, second]) {
    await node.until(() => node.notices.some(({ kind }) => kind === 'logHalted'));
    const { status, report } = await node.health();
    expect(status).toBe(503);
    expect(JSON.stringify(report)).toMatch(reason);
    expect(await node.call('eth_mining')).toMatchObject({ result: false });
  }
});

testWithServer('behavior: the stores are whole after that', { timeout: WAIT_MS }, async () => {
  const parent = head();
  await publish({
    number: parent.number + 1,
    bytes: blockAfter(parent.number + 1, parent.id, 'forged').bytes,
  });
  await first.close();
  await second.close();
  for (const folder of folders) {
    const store = openStoreForReading(dataFolderAt(folder).store);
    await verifyState(store);
    await store.close();
  }
});
