import { BrowserProvider } from 'ethers';
import { createPublicClient, createTestClient, createWalletClient, custom, http } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Web3 } from 'web3';
import { startTestNode, type TestNode } from '../../src/library/index.ts';

let node: TestNode;

beforeEach(async () => {
  node = await startTestNode();
});

afterEach(() => node.stop());

const TO = '0x0000000000000000000000000000000000000401';

test.each(['anvil', 'hardhat', 'ganache'] as const)(
  'default: actions of viem in the mode %s',
  async (mode) => {
    const transport = http(node.url);
    const client = createTestClient({ mode, transport });
    const reading = createPublicClient({ transport, cacheTime: 0 });
    const wallet = createWalletClient({ transport });
    const [account] = await wallet.getAddresses();
    if (account === undefined) throw new RangeError('there is no account');
    const before = await reading.getBalance({ address: TO });
    const id = await client.snapshot();
    const hash = await wallet.sendTransaction({ account, to: TO, value: 5n, chain: null });
    expect(await reading.getBalance({ address: TO })).toBe(before + 5n);
    await client.revert({ id });
    expect(await reading.getBalance({ address: TO })).toBe(before);
    await expect(reading.getTransaction({ hash })).rejects.toThrow(/could not be found/);
    await wallet.sendTransaction({ account, to: TO, value: 5n, chain: null });
    const state = await client.dumpState();
    await client.reset();
    expect(await reading.getBlockNumber()).toBe(0n);
    await client.loadState({ state });
    expect(await reading.getBalance({ address: TO })).toBe(before + 5n);
  },
);

interface SnapshotRestorer {
  readonly restore: () => Promise<void>;
  readonly id: () => string;
}

/** As the helpers of Hardhat have it: the id is gone after a revert, so that there is a new one each time. */
async function takeSnapshot(provider: BrowserProvider): Promise<SnapshotRestorer> {
  let id: string = await provider.send('evm_snapshot', []);
  return {
    id: () => id,
    restore: async () => {
      if ((await provider.send('evm_revert', [id])) !== true) throw new Error(`invalid snapshot ${id}`);
      id = await provider.send('evm_snapshot', []);
    },
  };
}

/** Fixtures that were set up, each with what it gave; those after the one that is loaded are void. */
class Fixtures {
  readonly #loaded: {
    readonly fixture: () => Promise<unknown>;
    readonly data: unknown;
    restorer: SnapshotRestorer;
  }[] = [];
  readonly #provider: BrowserProvider;

  constructor(provider: BrowserProvider) {
    this.#provider = provider;
  }

  async load(fixture: () => Promise<unknown>): Promise<unknown> {
    const index = this.#loaded.findIndex((loaded) => loaded.fixture === fixture);
    const found = this.#loaded[index];
    if (found === undefined) {
      const data = await fixture();
      this.#loaded.push({ fixture, data, restorer: await takeSnapshot(this.#provider) });
      return data;
    }
    await found.restorer.restore();
    this.#loaded.length = index + 1;
    return found.data;
  }
}

describe('suites with a state for each test', () => {
  test('default: fixtures as Hardhat loads them, with ethers', async () => {
    const provider = new BrowserProvider(node.provider, undefined, { cacheTimeout: -1 });
    const signer = await provider.getSigner();
    const fixtures = new Fixtures(provider);
    const pay = async (value: bigint): Promise<void> => {
      await (await signer.sendTransaction({ to: TO, value })).wait();
    };
    const begin = await provider.getBalance(TO);
    const rich = async (): Promise<bigint> => {
      await pay(100n);
      return provider.getBalance(TO);
    };
    const richer = async (): Promise<bigint> => {
      await fixtures.load(rich);
      await pay(1_000n);
      return provider.getBalance(TO);
    };
    for (let round = 0; round < 3; round += 1) {
      expect(await fixtures.load(rich)).toBe(begin + 100n);
      expect(await provider.getBalance(TO)).toBe(begin + 100n);
      await pay(7n);
      expect(await fixtures.load(richer)).toBe(begin + 1_100n);
      expect(await provider.getBalance(TO)).toBe(begin + 1_100n);
      await pay(7n);
    }
    expect(await provider.getBlockNumber()).toBe(3);
  });

  test('default: web3.js', async () => {
    const { eth, requestManager } = new Web3(node.provider);
    const [from] = await eth.getAccounts();
    const id = await requestManager.send({ method: 'evm_snapshot', params: [] } as never);
    for (let round = 0; round < 3; round += 1) {
      await eth.sendTransaction({ from, to: TO, value: 3 });
      expect(await eth.getBlockNumber()).toBe(1n);
      await requestManager.send({ method: 'evm_revert', params: [id, { keep: true }] } as never);
      expect(await eth.getBlockNumber()).toBe(0n);
    }
  });

  test('default: viem without HTTP', async () => {
    const transport = custom(node.provider);
    const client = createTestClient({ mode: 'anvil', transport });
    const ids = [await client.snapshot(), await client.snapshot()];
    expect(ids).toEqual(['0x1', '0x2']);
    await client.mine({ blocks: 1 }).catch(() => undefined);
    await client.revert({ id: '0x1' });
    expect(await createPublicClient({ transport }).getBlockNumber()).toBe(0n);
  });
});
