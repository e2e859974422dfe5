/**
 * Uses a forked node over HTTP, and then as the remote node of Hardhat's simulated network; a line for each thing that
 * was shown.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import hre from 'hardhat';
import { erc20Abi } from 'viem';

const TOKENS = 10n ** 18n;
const DEADLINE = 4_000_000_000n;
const world = JSON.parse(readFileSync(process.env.TOOLS_WORLD, 'utf8'));
const { apple, pear, router, box, whale, holders, hashes, beforeWhale, number } = world;
const whaleTokens = BigInt(world.whaleTokens);
const token = { address: apple.address, abi: erc20Abi };

/** Opens a network, and checks what both have. */
async function open(network, name, override) {
  const connection = await hre.network.connect({ network, override });
  const client = await connection.viem.getPublicClient();
  const [wallet] = await connection.viem.getWalletClients();
  const balanceOf = (holder, more) =>
    client.readContract({ ...token, functionName: 'balanceOf', args: [holder], ...more });
  const mined = async (hash) => {
    const receipt = await client.waitForTransactionReceipt({ hash });
    assert.equal(receipt.status, 'success');
    return receipt;
  };
  const shown = (what) => process.stdout.write(`shown: ${name}: ${what}\n`);
  return { ...connection, client, wallet, balanceOf, mined, shown };
}

async function readRemote({ client, balanceOf, shown }, head, tokens) {
  assert.equal(await client.getBlockNumber(), BigInt(head));
  assert.equal(await balanceOf(whale), tokens);
  assert.equal(await client.readContract({ ...box, functionName: 'value' }), 7n);
  const balances = await Promise.all(holders.slice(1).map((holder) => balanceOf(holder)));
  assert.deepEqual(
    balances,
    holders.slice(1).map((_, index) => BigInt(index + 2)),
  );
  shown('balances and contracts of the remote chain');
  const blockNumber = BigInt(beforeWhale);
  assert.equal(await balanceOf(whale, { blockNumber }), 0n);
  assert.equal(await balanceOf(whale, { blockNumber: blockNumber + 1n }), whaleTokens);
  const block = await client.getBlock({ blockNumber, includeTransactions: true });
  assert.deepEqual(await client.getBlock({ blockHash: block.hash, includeTransactions: true }), block);
  for (const hash of hashes) {
    const receipt = await client.getTransactionReceipt({ hash });
    const transaction = await client.getTransaction({ hash });
    assert.deepEqual([receipt.status, receipt.blockHash], ['success', transaction.blockHash]);
  }
  shown('states, blocks, transactions and receipts before the fork');
}

async function swap({ viem, networkHelpers, client, wallet, balanceOf, mined, shown }) {
  await networkHelpers.impersonateAccount(whale);
  await networkHelpers.setBalance(whale, 10n ** 20n);
  const holder = await viem.getWalletClient(whale);
  const to = wallet.account.address;
  const before = await balanceOf(to);
  await mined(await holder.writeContract({ ...token, functionName: 'transfer', args: [to, TOKENS] }));
  assert.equal(await balanceOf(to), before + TOKENS);
  await networkHelpers.stopImpersonatingAccount(whale);
  shown('an impersonated holder sends tokens');
  await mined(
    await wallet.writeContract({ ...token, functionName: 'approve', args: [router.address, TOKENS] }),
  );
  const args = [TOKENS, 0n, [apple.address, pear.address], to, DEADLINE];
  const call = { ...router, functionName: 'swapExactTokensForTokens', args, account: wallet.account };
  const bought = { address: pear.address, abi: erc20Abi, functionName: 'balanceOf', args: [to] };
  const had = await client.readContract(bought);
  const { request, result } = await client.simulateContract(call);
  await mined(await wallet.writeContract(request));
  assert.equal((await client.readContract(bought)) - had, result[1]);
  shown('a swap');
  const logs = await client.getContractEvents({ ...token, eventName: 'Transfer', fromBlock: 0n });
  assert.ok(logs.length >= 3 + holders.length + 2);
  assert.equal(logs.filter(({ blockNumber }) => blockNumber <= BigInt(number)).length, 3 + holders.length);
  shown('logs across the fork');
}

async function help({ ethers, viem, networkHelpers, client, wallet, balanceOf, mined, shown }) {
  const { time } = networkHelpers;
  const snapshot = await networkHelpers.takeSnapshot();
  const transfer = { ...token, functionName: 'transfer', args: [holders[0], 1n] };
  await networkHelpers.impersonateAccount(whale);
  const holder = await viem.getWalletClient(whale);
  const before = await balanceOf(holders[0]);
  await mined(await holder.writeContract(transfer));
  assert.equal(await balanceOf(holders[0]), before + 1n);
  await snapshot.restore();
  assert.equal(await balanceOf(holders[0]), before);
  async function fixture() {
    await mined(await wallet.sendTransaction({ to: holders[1], value: 1n }));
    return client.getBlockNumber();
  }
  const loaded = await networkHelpers.loadFixture(fixture);
  assert.equal(await networkHelpers.loadFixture(fixture), loaded);
  shown('snapshots and fixtures');
  const began = await time.latest();
  await time.increase(1_000);
  assert.ok((await time.latest()) >= began + 1_000);
  await time.setNextBlockTimestamp(began + 5_000);
  await networkHelpers.mine(3);
  const head = await time.latestBlock();
  await networkHelpers.mineUpTo(head + 4);
  assert.equal(await time.latestBlock(), head + 4);
  assert.equal(BigInt(await networkHelpers.getStorageAt(apple.address, 0)), 10n ** 24n);
  await networkHelpers.setStorageAt(apple.address, 0, 5n);
  assert.equal(await client.readContract({ ...token, functionName: 'totalSupply' }), 5n);
  await networkHelpers.setCode(pear.address, '0x602a5f5260205ff3');
  assert.equal(BigInt((await client.call({ to: pear.address })).data), 42n);
  await networkHelpers.setNonce(holders[2], 7);
  assert.equal(await client.getTransactionCount({ address: holders[2] }), 7);
  await networkHelpers.setNextBlockBaseFeePerGas(123n);
  await networkHelpers.setPrevRandao(9n);
  await networkHelpers.mine();
  const { baseFeePerGas, mixHash } = await client.getBlock();
  assert.deepEqual([baseFeePerGas, BigInt(mixHash)], [123n, 9n]);
  shown('the helpers of time, blocks and accounts');
  const counter = await viem.deployContract('Counter', [40n]);
  await mined(await counter.write.add([2n]));
  assert.equal(await counter.read.count(), 42n);
  const [signer] = await ethers.getSigners();
  const other = await ethers.getContractAt('Counter', counter.address, signer);
  await (await other.add(3n)).wait();
  assert.equal(await other.count(), 45n);
  const impersonated = await ethers.getImpersonatedSigner(whale);
  const apples = new ethers.Contract(apple.address, apple.abi, impersonated);
  await (await apples.transfer(signer.address, 3n)).wait();
  assert.ok((await apples.queryFilter('Transfer', 0)).length > 3 + holders.length);
  shown('the plugins of viem and ethers deploy and send');
}

const remote = await open('unlocked', 'http');
await readRemote(remote, number, whaleTokens);
await swap(remote);

// The simulated network reads what the forked node has changed, too.
const simulated = await open('simulated', 'forking');
await readRemote(simulated, number + 3, whaleTokens - TOKENS);
await swap(simulated);
await help(simulated);
assert.equal(await remote.client.getBlockNumber(), BigInt(number + 3));

const url = process.env.TOOLS_URL;
const past = await open('simulated', 'forking of a block before the fork', {
  forking: { url, blockNumber: beforeWhale + 1 },
});
assert.deepEqual(
  [await past.client.getBlockNumber(), await past.balanceOf(whale)],
  [BigInt(beforeWhale + 1), whaleTokens],
);
past.shown('its state');

await help(remote);
const test = await remote.viem.getTestClient();
await test.reset({ jsonRpcUrl: process.env.TOOLS_REMOTE_URL, blockNumber: BigInt(beforeWhale) });
assert.deepEqual(
  [await remote.client.getBlockNumber(), await remote.balanceOf(whale)],
  [BigInt(beforeWhale), 0n],
);
remote.shown('reset of the test client');
