import { Contract, isError, JsonRpcProvider } from 'ethers';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CompiledContract, compileContract } from '../contracts/compile.ts';
import { type Program, startProgram } from '../program.ts';
import { Collector } from './collector.ts';
import { driveAtEveryPace, Noter } from './paces.ts';

let program: Program;
let probe: CompiledContract;
let noter: Noter;
let providers: WatchedProvider[] = [];

beforeAll(async () => {
  probe = await compileContract('Probe');
});

beforeEach(async () => {
  program = await startProgram();
  noter = await Noter.deploy(program, probe);
});

afterEach(async () => {
  for (const provider of providers) {
    await provider.removeAllListeners();
    // The library takes its filters away by itself, and must not be cut off from the node meanwhile.
    const isWatching = provider.answered.items.some((method) => /^eth_new(Pending\w+)?Filter$/.test(method));
    if (isWatching) await provider.answered.first((method) => method === 'eth_uninstallFilter');
    provider.destroy();
  }
  providers = [];
  await program.stop();
});

/** A provider that polls often, and tells which methods the node has answered. */
class WatchedProvider extends JsonRpcProvider {
  readonly answered = new Collector<string>();
  /** Numbers of the blocks that the provider has seen. */
  readonly blocks = new Collector<number>();

  override async send(method: string, params: unknown[]): Promise<unknown> {
    const result: unknown = await super.send(method, params);
    this.answered.add(method);
    return result;
  }
}

/** Connects, and waits until the provider follows the blocks. */
async function connect(pollingInterval: number): Promise<WatchedProvider> {
  const provider = new WatchedProvider(program.clientUrl, undefined, { pollingInterval, cacheTimeout: -1 });
  providers.push(provider);
  await provider.on('block', provider.blocks.add);
  await provider.answered.first((method) => method === 'eth_blockNumber');
  return provider;
}

/** Watches the notes of the contract. Gives their numbers once the node has made the filter. */
async function watchNotes(provider: WatchedProvider): Promise<Collector<bigint>> {
  const contract = new Contract(noter.address, JSON.stringify(probe.abi), provider);
  const numbers = new Collector<bigint>();
  await contract.on('Noted', (_sender: string, key: bigint) => numbers.add(key));
  await provider.answered.first((method) => method === 'eth_getFilterChanges');
  return numbers;
}

/** The library asks for changes when it sees a block, so the last ones come with a block after them. */
async function mineUntilReached<T>(seen: Collector<T>, { blocks }: WatchedProvider): Promise<void> {
  while (seen.items.length < noter.sent.length) {
    const due = blocks.items.length + 1;
    await program.call('evm_mine');
    await blocks.reached(due);
  }
}

function numbersUpTo(count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index));
}

test('default: contract.on sees every event once, in order', async () => {
  const said = vi.spyOn(console, 'log');
  const provider = await connect(10);
  const numbers = await watchNotes(provider);
  await driveAtEveryPace(program, noter);
  await mineUntilReached(numbers, provider);
  expect(numbers.items).toEqual(numbersUpTo(noter.sent.length));
  // This is where the library reports what went wrong while it polled.
  expect(said).not.toHaveBeenCalled();
  said.mockRestore();
});

test('behavior: two clients poll one node, each at its pace', async () => {
  const both = await Promise.all([connect(5), connect(120)]);
  const watches = await Promise.all(both.map(watchNotes));
  await driveAtEveryPace(program, noter);
  for (const [index, provider] of both.entries()) {
    const numbers = watches[index];
    if (numbers === undefined) throw new Error('a provider without a watch');
    await mineUntilReached(numbers, provider);
    expect(numbers.items).toEqual(numbersUpTo(noter.sent.length));
  }
});

test('default: pending transactions, each once and in order', async () => {
  const provider = await connect(10);
  const hashes = new Collector<string>();
  await provider.on('pending', hashes.add);
  await provider.answered.first((method) => method === 'eth_getFilterChanges');
  await noter.send(50);
  await mineUntilReached(hashes, provider);
  expect(hashes.items).toEqual(noter.sent);
});

test('error: a filter that was uninstalled', async () => {
  const provider = await connect(10);
  const id: unknown = await provider.send('eth_newBlockFilter', []);
  expect(await provider.send('eth_uninstallFilter', [id])).toBe(true);
  const failure: unknown = await provider.send('eth_getFilterChanges', [id]).catch((error: unknown) => error);
  expect(isError(failure, 'UNKNOWN_ERROR') && failure.error).toMatchObject({
    code: -32000,
    message: 'filter not found',
  });
});
