import { type Address, getAddress, type TestActions } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../program.ts';
import { connect, MODES, type Mode, type TestClient } from './viem-modes.ts';

const PRODUCER = '0x00000000000000000000000000000000000003ff';
const NOBODY = getAddress(`0x${'d8'.repeat(20)}`);

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.stop());

/** Of the world of a test: its client, and two accounts. */
interface World {
  readonly client: TestClient;
  readonly alice: Address;
  readonly bob: Address;
}

const pay = ({ client, alice, bob }: World, value = 5n) =>
  client.sendTransaction({ account: alice, to: bob, value });
const timeOf = async ({ client }: World): Promise<bigint> => (await client.getBlock()).timestamp;
const mine = ({ client }: World, blocks = 1) => client.mine({ blocks });
const refusal = (made: Promise<unknown>): Promise<string> =>
  made.then(
    () => 'it was not refused',
    ({ details }) => details,
  );

/** Those that change accounts by themselves. */
type StateAction = 'setBalance' | 'setCode' | 'setNonce' | 'setStorageAt';

/** Checks of each action of viem's test client. */
const ACTIONS: Readonly<Record<Exclude<keyof TestActions, StateAction>, (world: World) => Promise<void>>> = {
  async dropTransaction(world) {
    await world.client.setAutomine(false);
    const hash = await pay(world);
    await world.client.dropTransaction({ hash });
    expect(await world.client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 });
  },
  async dumpState({ client }) {
    expect(await client.dumpState()).toMatch(/^0x1f8b/);
  },
  async getAutomine({ client }) {
    expect(await client.getAutomine()).toBe(true);
    await client.setAutomine(false);
    expect(await client.getAutomine()).toBe(false);
  },
  async getTxpoolContent(world) {
    await world.client.setAutomine(false);
    const hash = await pay(world);
    const { pending, queued } = await world.client.getTxpoolContent();
    expect(Object.values(pending[world.alice] ?? {})).toMatchObject([{ hash, value: '0x5' }]);
    expect(queued).toEqual({});
  },
  async getTxpoolStatus(world) {
    await world.client.setAutomine(false);
    await pay(world, 1n);
    await pay(world, 2n);
    expect(await world.client.getTxpoolStatus()).toEqual({ pending: 2, queued: 0 });
  },
  async impersonateAccount({ client, bob }) {
    const send = () => client.sendTransaction({ account: NOBODY, to: bob, value: 0n });
    await expect(send()).rejects.toThrow('is not in the wallet');
    await client.impersonateAccount({ address: NOBODY });
    const { from } = await client.waitForTransactionReceipt({ hash: await send() });
    expect(getAddress(from)).toBe(NOBODY);
  },
  async increaseTime(world) {
    const before = await timeOf(world);
    await world.client.increaseTime({ seconds: 500 });
    await mine(world);
    expect(await timeOf(world)).toBeGreaterThanOrEqual(before + 500n);
  },
  async inspectTxpool(world) {
    await world.client.setAutomine(false);
    await pay(world);
    const { pending } = await world.client.inspectTxpool();
    const { alice, bob } = world;
    expect(Object.values(pending[alice] ?? {})).toEqual([`${bob}: 5 wei + 20 gas × 1 wei`]);
  },
  async loadState(world) {
    const { client, bob } = world;
    const [balance, state] = [await client.getBalance({ address: bob }), await client.dumpState()];
    await pay(world);
    await client.loadState({ state });
    expect(await client.getBalance({ address: bob })).toBe(balance);
    expect(await refusal(client.loadState({ state: '0x00' }))).toContain('neither a ledgerd archive nor');
  },
  async mine(world) {
    const before = await world.client.getBlockNumber();
    await mine(world, 3);
    await world.client.mine({ blocks: 2, interval: 60 });
    expect(await world.client.getBlockNumber()).toBe(before + 5n);
    expect(await refusal(world.client.mine({ blocks: 1_000_001 }))).toMatch(
      /^1000001 blocks .* 1000000 blocks$/,
    );
  },
  async removeBlockTimestampInterval(world) {
    await world.client.setBlockTimestampInterval({ interval: 1_000 });
    await world.client.removeBlockTimestampInterval();
    const before = await timeOf(world);
    await mine(world, 3);
    expect(await timeOf(world)).toBeLessThan(before + 1_000n);
  },
  async reset({ client }) {
    await mine({ client } as World);
    expect(await refusal(client.reset({ blockNumber: 1n, jsonRpcUrl: 'nowhere' }))).toBe(
      'the URL of the remote node is not valid',
    );
    expect(await client.getBlockNumber()).not.toBe(0n);
    // viem always names a block to fork from; others send nothing.
    await client.request({ method: `${client.mode}_reset` as 'anvil_reset', params: [] as never });
    expect(await client.getBlockNumber()).toBe(0n);
  },
  async revert(world) {
    const before = await world.client.getBlock();
    const id = await world.client.snapshot();
    await pay(world);
    await world.client.revert({ id });
    expect(await world.client.getBlock()).toEqual(before);
  },
  async sendUnsignedTransaction({ client, bob }) {
    const hash = await client.sendUnsignedTransaction({ from: NOBODY, to: bob, value: 0n });
    const { from, status } = await client.waitForTransactionReceipt({ hash });
    expect([getAddress(from), status]).toEqual([NOBODY, 'success']);
  },
  async setAutomine(world) {
    const before = await world.client.getBlockNumber();
    await world.client.setAutomine(false);
    await pay(world);
    expect(await world.client.getBlockNumber()).toBe(before);
    await world.client.setAutomine(true);
    expect(await world.client.getBlockNumber()).toBe(before + 1n);
  },
  async setBlockGasLimit(world) {
    const { client, alice } = world;
    await client.setBlockGasLimit({ gasLimit: 150_000n });
    await client.setAutomine(false);
    for (const data of ['0x600060', '0x600160'] as const) {
      await client.sendTransaction({ account: alice, data, gas: 100_000n });
    }
    await mine(world);
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 });
  },
  async setBlockTimestampInterval(world) {
    await world.client.setBlockTimestampInterval({ interval: 60 });
    const before = await timeOf(world);
    await mine(world, 2);
    // Mode hardhat sends milliseconds.
    const interval = world.client.mode === 'hardhat' ? 60_000n : 60n;
    expect(await timeOf(world)).toBe(before + 2n * interval);
  },
  async setCoinbase({ client }) {
    await client.setCoinbase({ address: PRODUCER });
    expect(await refusal(client.setCoinbase({ address: NOBODY }))).toBe(
      'the producer of the genesis signs each block',
    );
  },
  async setIntervalMining({ client }) {
    await client.setIntervalMining({ interval: 60 });
    const seconds = client.mode === 'hardhat' ? 60_000 : 60;
    expect(await program.call('anvil_getIntervalMining')).toBe(seconds);
    expect(await program.call('anvil_getAutomine')).toBe(false);
  },
  async setLoggingEnabled(world) {
    // Blocks that no other test makes.
    await mine(world, 100 * (1 + MODES.indexOf(world.client.mode as Mode)));
    await world.client.setLoggingEnabled(false);
    const silent = await world.client.getBlockNumber();
    await mine(world);
    await world.client.setLoggingEnabled(true);
    await mine(world);
    await program.printed(new RegExp(`block ${silent + 2n}\\b`));
    expect(program.output()).not.toMatch(new RegExp(`block ${silent + 1n}\\b`));
  },
  async setMinGasPrice({ client }) {
    await client.setMinGasPrice({ gasPrice: 1n });
    expect(await refusal(client.setMinGasPrice({ gasPrice: 7n }))).toContain('the price of gas is 1 here');
  },
  async setNextBlockBaseFeePerGas({ client }) {
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 0n });
    expect(await refusal(client.setNextBlockBaseFeePerGas({ baseFeePerGas: 7n }))).toContain(
      'there is no base fee here',
    );
  },
  async setNextBlockTimestamp(world) {
    const before = await timeOf(world);
    await world.client.setNextBlockTimestamp({ timestamp: before + 1_000n });
    await mine(world);
    expect(await timeOf(world)).toBe(before + 1_000n);
    const late = await refusal(world.client.setNextBlockTimestamp({ timestamp: before }));
    expect(late).toContain(String(before));
    expect(late).toContain(String(before + 1_000n));
  },
  async setRpcUrl({ client }) {
    expect(await refusal(client.setRpcUrl('http://127.0.0.1:1'))).toContain('the chain is no fork');
  },
  async snapshot({ client }) {
    const [first, second] = [await client.snapshot(), await client.snapshot()];
    expect(BigInt(second)).toBe(BigInt(first) + 1n);
  },
  async stopImpersonatingAccount({ client, bob }) {
    await client.impersonateAccount({ address: NOBODY });
    await client.stopImpersonatingAccount({ address: NOBODY });
    const sent = client.sendTransaction({ account: NOBODY, to: bob, value: 0n });
    await expect(sent).rejects.toThrow('is not in the wallet');
  },
};

test.each(MODES.flatMap((mode) => Object.entries(ACTIONS).map(([name, act]) => ({ mode, name, act }))))(
  "default: viem's test client in mode $mode: $name",
  async ({ mode, act }) => {
    const client = connect(program, mode);
    const [alice, bob] = await client.getAddresses();
    if (alice === undefined || bob === undefined) throw new Error('there are no test accounts');
    const id = await client.snapshot();
    try {
      await act({ client, alice, bob });
    } finally {
      // Nothing is left of it, but after `reset` and `loadState`, which leave no snapshots.
      await program.call('evm_revert', id);
    }
  },
);
