import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { network } from 'hardhat';
import { getAddress } from 'viem';

const { viem } = await network.connect();
const [owner, other] = await viem.getWalletClients();
const testClient = await viem.getTestClient({ mode: 'hardhat' });

let snapshot: `0x${string}`;

beforeEach(async () => {
  snapshot = await testClient.snapshot();
});

afterEach(() => testClient.revert({ id: snapshot }));

test('the counter counts, and reports it', async () => {
  const counter = await viem.deployContract('Counter');
  await counter.write.increment();
  assert.equal(await counter.read.number(), 1n);
  const [event] = await counter.getEvents.Incremented();
  assert.deepEqual(event.args, { by: getAddress(owner.account.address), number: 1n });
});

test('only the owner resets it', async () => {
  const counter = await viem.deployContract('Counter');
  await assert.rejects(counter.simulate.reset({ account: other.account }), /NotOwner\(address caller\)/);
  await counter.write.reset();
});
