import { createPublicClient, type Hash, http, type PublicClient, parseEventLogs } from 'viem';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { compileWorldContracts, openWorld, type World } from '../fuzz/world.ts';
import { type Program, startProgram } from '../program.ts';
import { Collector } from './collector.ts';
import { driveAtEveryPace, Noter } from './paces.ts';

let program: Program;
let probe: CompiledContract;
let noter: Noter;
/** Ends the watches of a test, whatever becomes of it. */
let unwatch: (() => void)[] = [];

beforeAll(async () => {
  probe = await compileContract('Probe');
});

beforeEach(async () => {
  program = await startProgram();
  noter = await Noter.deploy(program, probe);
});

afterEach(async () => {
  for (const stop of unwatch) stop();
  unwatch = [];
  await program.stop();
});

/** A call that a client made, with its result. */
interface Exchange {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** A client that polls often, and everything that the node answered it. */
function connect(
  url: string,
  pollingInterval: number,
): { readonly client: PublicClient; readonly exchanges: Collector<Exchange> } {
  const exchanges = new Collector<Exchange>();
  const fetchFn: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { method, params } = JSON.parse(String(init?.body));
    const { result } = JSON.parse(await response.clone().text());
    exchanges.add({ method, params, result });
    return response;
  };
  return { client: createPublicClient({ transport: http(url, { fetchFn }), pollingInterval }), exchanges };
}

/** Watches the notes of the contract. Gives their numbers once the node has made the filter. */
async function watchNotes(pollingInterval: number): Promise<Collector<bigint>> {
  const { client, exchanges } = connect(program.clientUrl, pollingInterval);
  const numbers = new Collector<bigint>();
  unwatch.push(
    client.watchContractEvent({
      address: noter.address,
      abi: probe.abi,
      eventName: 'Noted',
      onLogs: (logs) => {
        for (const log of parseEventLogs({ abi: probe.abi, logs })) {
          numbers.add(Reflect.get(log.args ?? {}, 'key'));
        }
      },
    }),
  );
  await exchanges.first(({ method }) => method === 'eth_newFilter');
  return numbers;
}

function numbersUpTo(count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index));
}

test('default: watchContractEvent sees every event once, in order', async () => {
  const numbers = await watchNotes(10);
  await driveAtEveryPace(program, noter);
  expect(await numbers.reached(noter.sent.length)).toEqual(numbersUpTo(noter.sent.length));
});

test('behavior: two clients poll one node, each at its pace', async () => {
  const [hasty, slow] = await Promise.all([watchNotes(3), watchNotes(150)]);
  await driveAtEveryPace(program, noter);
  for (const numbers of [hasty, slow]) {
    expect(await numbers.reached(noter.sent.length)).toEqual(numbersUpTo(noter.sent.length));
  }
});

test('default: watchPendingTransactions sees every accepted transaction once, in order', async () => {
  const { client, exchanges } = connect(program.clientUrl, 10);
  const hashes = new Collector<Hash>();
  unwatch.push(
    client.watchPendingTransactions({
      onTransactions: (batch) => {
        for (const hash of batch) hashes.add(hash);
      },
    }),
  );
  await exchanges.first(({ method }) => method === 'eth_newPendingTransactionFilter');
  await driveAtEveryPace(program, noter);
  expect(await hashes.reached(noter.sent.length)).toEqual(noter.sent);
});

test('default: watchBlocks sees every block once, in order', async () => {
  const { client } = connect(program.clientUrl, 10);
  const blocks = new Collector<{ readonly number: bigint; readonly hash: Hash; readonly parentHash: Hash }>();
  unwatch.push(client.watchBlocks({ emitMissed: true, emitOnBegin: true, onBlock: blocks.add }));
  const { number: first } = await blocks.first(() => true);
  await driveAtEveryPace(program, noter);
  const head = await client.getBlock();
  await blocks.first(({ hash }) => hash === head.hash);
  expect(blocks.items.length).toBeGreaterThan(200);
  for (const [index, block] of blocks.items.entries()) {
    expect(block.number).toBe(first + BigInt(index));
    if (index > 0) expect(block.parentHash).toBe(blocks.items[index - 1]?.hash);
  }
});

test('behavior: a block filter returns the hashes of the mined blocks in order', async () => {
  const { client } = connect(program.clientUrl, 10);
  const filter = await client.createBlockFilter();
  const before = await client.getBlockNumber();
  await driveAtEveryPace(program, noter);
  const head = await client.getBlockNumber();
  const hashes = await client.getFilterChanges({ filter });
  const blocks = await Promise.all(
    hashes.map((_, index) => client.getBlock({ blockNumber: before + 1n + BigInt(index) })),
  );
  expect(BigInt(hashes.length)).toBe(head - before);
  expect(hashes).toEqual(blocks.map(({ hash }) => hash));
  expect(await client.getFilterChanges({ filter })).toEqual([]);
});

test('behavior: all logs of a filter, from the first block on', async () => {
  const { client } = connect(program.clientUrl, 10);
  await noter.send(3);
  const filter = await client.createContractEventFilter({
    address: noter.address,
    abi: probe.abi,
    eventName: 'Noted',
    fromBlock: 'earliest',
  });
  await noter.send(2);
  const all = await client.getFilterLogs({ filter });
  expect(all.map(({ topics }) => BigInt(topics[2] ?? -1))).toEqual(numbersUpTo(5));
  expect(await client.getFilterChanges({ filter })).toHaveLength(2);
  expect(await client.getFilterLogs({ filter })).toEqual(all);
});

test('error: a filter that was uninstalled', async () => {
  const { client } = connect(program.clientUrl, 10);
  const filter = await client.createBlockFilter();
  expect(await client.uninstallFilter({ filter })).toBe(true);
  expect(await client.uninstallFilter({ filter })).toBe(false);
  await expect(client.getFilterChanges({ filter })).rejects.toThrow('filter not found');
});

test('behavior: a watch creates a new filter after its filter is gone', async () => {
  const { client, exchanges } = connect(program.clientUrl, 10);
  const errors = new Collector<Error>();
  const topics = new Collector<bigint>();
  unwatch.push(
    client.watchContractEvent({
      address: noter.address,
      abi: probe.abi,
      onLogs: (logs) => {
        for (const log of logs) topics.add(BigInt(log.topics[2] ?? -1));
      },
      onError: errors.add,
    }),
  );
  const { result } = await exchanges.first(({ method }) => method === 'eth_newFilter');
  expect(await program.call('eth_uninstallFilter', result)).toBe(true);
  expect((await errors.first(() => true)).message).toContain('filter not found');
  await exchanges.first((exchange) => exchange.method === 'eth_newFilter' && exchange.result !== result);
  await noter.send(3);
  expect(await topics.reached(3)).toEqual(numbersUpTo(3));
});

test('error: a filter that is not polled before its timeout expires', async () => {
  const world: World = await openWorld(await compileWorldContracts());
  try {
    const { client } = connect(world.url, 10);
    const [polled, forgotten] = [await client.createBlockFilter(), await client.createBlockFilter()];
    world.advanceClock(299);
    expect(await client.getFilterChanges({ filter: polled })).toEqual([]);
    world.advanceClock(2);
    expect(await client.getFilterChanges({ filter: polled })).toEqual([]);
    await expect(client.getFilterChanges({ filter: forgotten })).rejects.toThrow('filter not found');
    expect(await client.uninstallFilter({ filter: forgotten })).toBe(false);
  } finally {
    await world.close();
  }
});
