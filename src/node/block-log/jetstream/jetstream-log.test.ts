import { afterAll, beforeAll, expect } from 'vitest';
import { BlockLogUnavailableError, BlockLogUnsoundError } from '../block-log.ts';
import { STREAM_PART_BYTES_MAX } from './entry.ts';
import { openJetStream, openOn } from './jetstream.ts';
import { blockAfter, blocksOf } from './log-chain.testing.ts';
import { asOperator, NATS_SERVER, NatsServers } from './nats-servers.testing.ts';
import { append, differing, newChain, open, read } from './real-log.testing.ts';
import { namesOf } from './stream.ts';
import { testWithServer } from './with-server.testing.ts';

const WAIT_MS = 300_000;

let servers: NatsServers;

beforeAll(async () => {
  if (NATS_SERVER !== undefined) servers = await NatsServers.start();
}, WAIT_MS);
afterAll(() => servers?.stop());

testWithServer('default: what is appended is read, from any number on', async () => {
  const chain = newChain();
  const log = await open(servers, chain);
  const blocks = blocksOf(chain, 10);
  expect(await log.log.head()).toBe(0);
  for (const block of blocks) expect(await append(log, block)).toBe('appended');
  expect(await log.log.head()).toBe(10);
  expect(differing(blocks.slice(3), await read(log, 4, 7))).toEqual([]);
  const other = await open(servers, chain);
  expect(await other.log.head()).toBe(10);
  expect(differing(blocks, await read(other, 1, 10))).toEqual([]);
});

testWithServer('behavior: of several at one number one is taken, and the others conflict', async () => {
  const chain = newChain();
  const logs = await Promise.all([1, 2, 3].map(() => open(servers, chain)));
  let parent = chain.genesisId;
  for (let number = 1; number <= 20; number += 1) {
    const candidates = logs.map((_, index) => blockAfter(number, parent, `${index}`));
    const outcomes = await Promise.all(
      logs.map((log, index) => append(log, candidates[index] ?? blockAfter(number, parent))),
    );
    expect([...outcomes].sort()).toEqual(['appended', 'conflict', 'conflict']);
    parent = candidates[outcomes.indexOf('appended')]?.id ?? parent;
  }
  const chainsRead = await Promise.all(logs.map((log) => read(log, 1, 20)));
  for (const found of chainsRead) expect(found).toEqual(chainsRead[0]);
});

testWithServer(
  'behavior: the same block again is appended, also long after and by another node',
  async () => {
    const chain = newChain();
    const log = await open(servers, chain);
    const blocks = blocksOf(chain, 8, (number) => (number === 3 ? 2 * STREAM_PART_BYTES_MAX : 0));
    for (const block of blocks) await append(log, block);
    const other = await open(servers, chain);
    for (const block of blocks) expect(await append(other, block)).toBe('appended');
    const [, , third] = blocks;
    if (third === undefined) throw new Error('there are eight');
    const changed = third.bytes.slice();
    changed[changed.length - 1] = 1 + (changed.at(-1) ?? 0);
    expect(await other.log.append(3, third.parent, changed)).toBe('conflict');
    expect(await append(other, blockAfter(3, third.parent, 'other'))).toBe('conflict');
    expect(await other.log.head()).toBe(8);
  },
);

testWithServer('behavior: whoever waits gets each block when it comes', async () => {
  const chain = newChain();
  const [log, other] = [await open(servers, chain), await open(servers, chain)];
  const blocks = blocksOf(chain, 50, (number) => (number % 20 === 0 ? 3 * STREAM_PART_BYTES_MAX : 0));
  const reading = read(other, 1, blocks.length);
  for (const block of blocks) await append(log, block);
  expect(differing(blocks, await reading)).toEqual([]);
});

testWithServer('behavior: large blocks are taken whole or not at all', async () => {
  const chain = newChain();
  const logs = await Promise.all([open(servers, chain), open(servers, chain)]);
  let parent = chain.genesisId;
  for (let number = 1; number <= 4; number += 1) {
    const candidates = logs.map((_, index) =>
      blockAfter(number, parent, `${index}`, (number + index) * STREAM_PART_BYTES_MAX + 5),
    );
    const outcomes = await Promise.all(
      logs.map((log, index) => append(log, candidates[index] ?? blockAfter(number, parent))),
    );
    expect([...outcomes].sort()).toEqual(['appended', 'conflict']);
    const winner = candidates[outcomes.indexOf('appended')];
    parent = winner?.id ?? parent;
    expect(differing(winner === undefined ? [] : [winner], await read(logs[1], number, 1))).toEqual([]);
  }
});

testWithServer('behavior: an answer that is lost is no failure', async () => {
  const chain = newChain();
  const log = await open(servers, chain);
  const blocks = blocksOf(chain, 5, (number) => (number === 4 ? 2 * STREAM_PART_BYTES_MAX : 0));
  const { nats } = log.connection;
  const ask = nats.request.bind(nats);
  const { blocks: subject } = namesOf(chain);
  nats.request = async (to, ...rest) => {
    const answer = await ask(to, ...rest);
    // A batch that began is answered by nothing: only what decides is lost.
    if (to === subject && answer.data.length > 0) throw new Error('the answer was lost');
    return answer;
  };
  for (const block of blocks) expect(await append(log, block)).toBe('appended');
  expect(await log.log.head()).toBe(5);
});

testWithServer(
  'behavior: 20,000 blocks are caught up with, without a gap',
  { timeout: WAIT_MS },
  async () => {
    const chain = newChain();
    const log = await open(servers, chain);
    const blocks = blocksOf(chain, 20_000, () => 300);
    const told: number[] = [];
    const writer = await open(servers, chain);
    const pairs = blocks.map(({ number, bytes }) => [number, bytes] as const);
    await writer.log.appendAll(pairs, (number) => told.push(number));
    expect(told.at(-1)).toBe(20_000);
    expect(differing(blocks, await read(log, 1, blocks.length))).toEqual([]);
    expect(differing(blocks.slice(15_000), await read(log, 15_001, 5_000))).toEqual([]);
    const other = await open(servers, chain);
    expect(differing(blocks.slice(19_990), await read(other, 19_991, 10))).toEqual([]);
  },
);

testWithServer('behavior: many blocks at once, in spite of answers that are lost', async () => {
  const chain = newChain();
  const log = await open(servers, chain);
  const blocks = blocksOf(chain, 600, (number) => (number % 250 === 0 ? 2 * STREAM_PART_BYTES_MAX : 0));
  const { nats } = log.connection;
  const ask = nats.request.bind(nats);
  let asked = 0;
  nats.request = async (...request) => {
    const answer = await ask(...request);
    asked += 1;
    if (asked % 101 === 100) throw new Error('the answer was lost');
    return answer;
  };
  await log.log.appendAll(
    blocks.map(({ number, bytes }) => [number, bytes]),
    () => undefined,
  );
  expect(differing(blocks, await read(await open(servers, chain), 1, 600))).toEqual([]);
  const other = blockAfter(600, blocks[598]?.id ?? chain.genesisId, 'other');
  expect(await log.log.append(600, other.parent, other.bytes)).toBe('conflict');
});

testWithServer('error: a block that does not follow the log', async () => {
  const chain = newChain();
  const log = await open(servers, chain);
  const [first, second] = blocksOf(chain, 2);
  if (first === undefined || second === undefined) throw new Error('there are two');
  await expect(append(log, second)).rejects.toThrow(BlockLogUnavailableError);
  await append(log, first);
  const stray = blockAfter(2, blockAfter(1, chain.genesisId, 'other').id);
  await expect(append(log, stray)).rejects.toThrow(BlockLogUnsoundError);
  await expect(log.log.append(1, first.parent, Uint8Array.of(1, 2))).rejects.toThrow('block');
});

testWithServer('error: a log that ends before the store is not believed at once', async () => {
  const chain = newChain();
  const { log } = await openJetStream(servers.settings(), chain, true, { atLeast: 2 });
  await expect(log.head()).rejects.toThrow('ends at block 0 now, and had block 2');
  for (const { number, parent, bytes } of blocksOf(chain, 2)) await log.append(number, parent, bytes);
  expect(await log.head()).toBe(2);
  await log.close();
});

testWithServer('error: what is no block, or another stream, ends the reading', async () => {
  const chain = newChain();
  const log = await open(servers, chain);
  const names = namesOf(chain);
  await asOperator(servers.settings(), async ({ nats }) => {
    await nats.request(names.blocks, 'what is this');
  });
  await expect(read(log, 1, 1)).rejects.toThrow('message 1 of the log is not part of a block');
  await asOperator(servers.settings(), async ({ manager }) => {
    await manager.streams.delete(names.stream);
    await manager.streams.add({ name: names.stream, subjects: [names.blocks] });
  });
  await expect(log.log.head()).rejects.toThrow('was recreated');
});

testWithServer('error: a stream that is deleted, with the words of a start', async () => {
  const chain = newChain();
  const log = await open(servers, chain);
  const blocks = blocksOf(chain, 3);
  for (const block of blocks.slice(0, 2)) await append(log, block);
  const { stream } = namesOf(chain);
  await asOperator(servers.settings(), ({ manager }) => manager.streams.delete(stream));
  const reason = `has no stream ${stream}: create it from the store with the most blocks by "ledgerd block-log seed"`;
  for (const attempt of [log.log.head(), ...blocks.slice(2).map((block) => append(log, block))]) {
    const failure = await attempt.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BlockLogUnsoundError);
    expect(String(failure)).toContain(reason);
  }
});

testWithServer(
  'error: a stream that is purged, which the servers refuse for a log as it should be',
  async () => {
    const chain = newChain();
    const { stream } = namesOf(chain);
    const safe = await open(servers, chain);
    for (const block of blocksOf(chain, 2)) await append(safe, block);
    await asOperator(servers.settings(), async ({ manager }) => {
      await expect(manager.streams.purge(stream)).rejects.toThrow('purge not permitted');
      const { config } = await manager.streams.info(stream);
      await manager.streams.delete(stream);
      await manager.streams.add({ ...config, deny_purge: false });
    });
    const info = await safe.connection.manager.streams.info(stream);
    const { log } = openOn(safe.connection, chain, info);
    for (const { number, parent, bytes } of blocksOf(chain, 2)) await log.append(number, parent, bytes);
    expect(await log.head()).toBe(2);
    await asOperator(servers.settings(), ({ manager }) => manager.streams.purge(stream));
    await expect(log.head()).rejects.toThrow(
      'messages were deleted or purged from it: it has 0, from 3 to 2',
    );
  },
);

testWithServer(
  'behavior: transactions reach all other nodes of the chain, and not their sender',
  async () => {
    const chain = newChain();
    const [log, second, third] = [
      await open(servers, chain),
      await open(servers, chain),
      await open(servers, chain),
    ];
    const stranger = await open(servers, newChain());
    const heard: string[] = [];
    const gone = new Promise<void>((resolve) => {
      for (const [name, { exchange }] of Object.entries({ log, second, third, stranger })) {
        exchange.onMessage((transaction) => {
          heard.push(`${name}: ${transaction.join()}`);
          if (heard.length === 2) resolve();
        });
      }
    });
    for (const { connection } of [log, second, third, stranger]) await connection.nats.flush();
    log.exchange.publish(new Uint8Array(2 * 1024 * 1024));
    log.exchange.publish(Uint8Array.of(7));
    await gone;
    expect(heard.sort()).toEqual(['second: 7', 'third: 7']);
  },
);
