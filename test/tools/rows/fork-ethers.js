/** ethers on a forked chain. */

import { Contract, JsonRpcProvider, Wallet, ZeroAddress } from 'ethers';
import { accountOf } from '../harness/accounts.js';
import { holds, refused, same } from '../harness/checks.js';
import { onFork } from '../harness/forked-chain.js';
import { DEADLINE, IMPLEMENTATION_SLOT, WHALE, WHALE_TOKENS, WHALE_WEI } from '../harness/remote-chain.js';

/** @typedef {import('../harness/checks.js').Checks} Checks */
/** @typedef {import('../harness/remote-chain.js').World} World */
/** @typedef {import('../harness/remote-chain.js').Placed} Placed */

/** @type {import('../harness/row.js').Row} */
export const row = { name: 'fork-ethers', packages: ['ethers'], run };

const TOKENS = 10n ** 18n;
const { address, privateKey } = accountOf('ethers');

/** @type {import('../harness/row.js').Run} */
async function run(checks, target) {
  await onFork(checks, target, async (forked, world, remote) => {
    const provider = new JsonRpcProvider(forked.url, undefined, { cacheTimeout: -1, polling: true });
    provider.pollingInterval = 50;
    try {
      await reads(checks, provider, world);
      await history(checks, provider, world);
      await transactions(checks, provider, world);
      await control(checks, provider, world, remote.url);
    } finally {
      provider.destroy();
    }
  });
}

/** Returns a contract whose methods have any type. */
const at = (/** @type {Placed} */ { abi, address }, /** @type {any} */ runner) =>
  /** @type {any} */ (new Contract(address, abi, runner));

/**
 * @param {Checks} checks
 * @param {JsonRpcProvider} provider
 * @param {World} world
 */
async function reads(checks, provider, { apple, pair, box, implementation, holders }) {
  const token = at(apple, provider);
  await checks.check('reads balances, code and slots of the remote chain', async () => {
    same(
      [await token.balanceOf(WHALE), await provider.getBalance(WHALE)],
      [WHALE_TOKENS, WHALE_WEI],
      'whale',
    );
    holds((await provider.getCode(pair.address)).length > 100, 'no code of the pair');
    const slot = await provider.getStorage(box.address, IMPLEMENTATION_SLOT);
    same(`0x${slot.slice(-40)}`, implementation.address, 'implementation');
    same(await at(box, provider).value(), 7n, 'value behind the proxy');
  });
  await checks.check('a batch of 60 calls', async () => {
    const sizes = /** @type {number[]} */ ([]);
    const listen = (/** @type {any} */ { action, payload }) => {
      if (action === 'sendRpcPayload') sizes.push(Array.isArray(payload) ? payload.length : 1);
    };
    await provider.on('debug', listen);
    const balances = await Promise.all(
      [1, 2, 3].flatMap(() => holders.map((holder) => token.balanceOf(holder))),
    );
    await provider.off('debug', listen);
    same(
      balances.slice(-holders.length),
      holders.map((_, index) => BigInt(index + 1)),
      'balances',
    );
    // The provider may add a call of its own.
    holds(sizes.length === 1 && sizes[0] >= 60, `the requests had ${sizes} calls`);
  });
  await checks.check('staticCall as a holder, and the error of others', async () => {
    same(await token.transfer.staticCall(address, TOKENS, { from: WHALE }), true, 'result');
    await refused(() => token.transfer.staticCall(WHALE, TOKENS, { from: address }), /ds-math-sub-underflow/);
    const gas = await token.transfer.estimateGas(address, TOKENS, { from: WHALE });
    holds(gas > 30_000n && gas < 100_000n, `gas ${gas}`);
  });
}

/**
 * @param {Checks} checks
 * @param {JsonRpcProvider} provider
 * @param {World} world
 */
async function history(checks, provider, { apple, hashes, beforeWhale, number }) {
  await checks.check('getBlock before the fork: by number, by hash, with transactions', async () => {
    const block = await provider.getBlock(beforeWhale, true);
    const again = await provider.getBlock(block?.hash ?? '', true);
    same(again?.toJSON(), block?.toJSON(), 'by its hash');
    same(block?.prefetchedTransactions.length, 1, 'transactions');
    const transaction = await block?.getTransaction(0);
    same(transaction?.hash, block?.transactions[0], 'transaction at its index');
    same((await provider.getBlock('earliest'))?.number, 0, 'number of the earliest');
  });
  await checks.check('receipts, transactions and confirmations of the remote chain', async () => {
    for (const hash of hashes) {
      const transaction = await provider.getTransaction(hash);
      const receipt = await transaction?.wait();
      same(
        [receipt?.status, receipt?.hash, receipt?.blockHash],
        [1, hash, transaction?.blockHash],
        'receipt',
      );
      same(await receipt?.confirmations(), number + 1 - (receipt?.blockNumber ?? 0), 'confirmations');
    }
  });
  await checks.check('the state of a block before the fork', async () => {
    const token = at(apple, provider);
    const balanceIn = (/** @type {number} */ blockTag) => token.balanceOf(WHALE, { blockTag });
    same([await balanceIn(beforeWhale), await balanceIn(beforeWhale + 1)], [0n, WHALE_TOKENS], 'tokens');
    same(await provider.getBalance(WHALE, beforeWhale), 0n, 'wei before');
    await refused(() => token.balanceOf(WHALE, { blockTag: 1 }), /could not decode result data/);
  });
  await checks.check('the logs of a remote transaction’s block', async () => {
    const hash = hashes.at(-1) ?? '';
    const receipt = await provider.getTransactionReceipt(hash);
    const logs = await provider.getLogs({ blockHash: receipt?.blockHash });
    same(
      logs.map(({ transactionHash }) => transactionHash),
      [hash],
      'transactions of the logs',
    );
  });
}

/**
 * @param {Checks} checks
 * @param {JsonRpcProvider} provider
 * @param {World} world
 */
async function transactions(checks, provider, { apple, pear, router, holders, number }) {
  const wallet = new Wallet(privateKey, provider);
  const [token, other] = [at(apple, wallet), at(pear, wallet)];
  await checks.check('an impersonated holder sends tokens', async () => {
    await provider.send('hardhat_impersonateAccount', [WHALE]);
    const sent = await at(apple, await provider.getSigner(WHALE)).transfer(address, TOKENS);
    const { status, blockNumber } = await sent.wait();
    await provider.send('hardhat_stopImpersonatingAccount', [WHALE]);
    same([status, blockNumber], [1, number + 1], 'status, number of the first local block');
    same(await token.balanceOf(WHALE), WHALE_TOKENS - TOKENS, 'tokens of the holder');
  });
  await checks.check('a swap, and one that fails', async () => {
    await (await token.approve(router.address, TOKENS)).wait();
    const exchange = at(router, wallet);
    const path = [apple.address, pear.address];
    const [, expected] = await exchange.getAmountsOut(TOKENS / 2n, path);
    const swap = [TOKENS / 2n, expected, path, address, DEADLINE];
    const receipt = await (await exchange.swapExactTokensForTokens(...swap)).wait();
    same([receipt.status, await other.balanceOf(address)], [1, expected], 'status, bought tokens');
    await refused(() => exchange.swapExactTokensForTokens(...swap), /INSUFFICIENT_OUTPUT_AMOUNT/);
  });
  await checks.check('getLogs and queryFilter across the fork', async () => {
    const events = await token.queryFilter('Transfer', 0, 'latest');
    // The supply, liquidity, the whale, the holders; then a local transfer and a swap.
    same(events.length, 3 + holders.length + 2, 'events');
    const logs = await provider.getLogs({
      address: apple.address,
      fromBlock: 0,
      topics: [events[0].topics[0]],
    });
    same(
      logs.map(({ transactionHash }) => transactionHash),
      events.map((event) => event.transactionHash),
      'logs',
    );
    const ofWhale = await token.queryFilter(token.filters.Transfer(WHALE), number - 2);
    same(
      ofWhale.map(({ args }) => args.value),
      [TOKENS],
      'values of the argument’s events',
    );
    const minted = await token.queryFilter(token.filters.Transfer(ZeroAddress), 0, number);
    same(minted.length, 1, 'events before the fork');
  });
  await checks.check('the events of a new block by a listener', async () => {
    const heard = new Promise((resolve) =>
      token.once('Transfer', (/** @type {any[]} */ ...args) => resolve(args)),
    );
    // The listener polls from the next block on.
    await provider.getBlockNumber();
    await (await token.transfer(holders[0], 5n)).wait();
    const [from, to, value] = /** @type {any[]} */ (await heard);
    await token.removeAllListeners();
    same(from, address, 'sender');
    same([to.toLowerCase(), value], [holders[0], 5n], 'receiver, value');
  });
}

/**
 * @param {Checks} checks
 * @param {JsonRpcProvider} provider
 * @param {World} world
 * @param {string} jsonRpcUrl
 */
async function control(checks, provider, { apple, holders, beforeWhale, number }, jsonRpcUrl) {
  const token = at(apple, new Wallet(privateKey, provider));
  await checks.check('snapshot and revert', async () => {
    const before = await token.balanceOf(holders[1]);
    const id = await provider.send('evm_snapshot', []);
    await (await token.transfer(holders[1], 1n)).wait();
    same(await token.balanceOf(holders[1]), before + 1n, 'tokens');
    same(await provider.send('evm_revert', [id]), true, 'result of the revert');
    same(await token.balanceOf(holders[1]), before, 'tokens after the revert');
  });
  await checks.check('the fees and the network', async () => {
    const { chainId } = await provider.getNetwork();
    const { maxFeePerGas, gasPrice } = await provider.getFeeData();
    holds(chainId > 0n && (maxFeePerGas ?? 0n) > 0n && (gasPrice ?? 0n) > 0n, 'a fee is 0');
  });
  await checks.check('hardhat_reset to an earlier block, and to the newest', async () => {
    for (const [block, tokens] of /** @type {const} */ ([
      [beforeWhale, 0n],
      [undefined, WHALE_TOKENS],
    ])) {
      const forking = { jsonRpcUrl, ...(block !== undefined && { blockNumber: block }) };
      await provider.send('hardhat_reset', [{ forking }]);
      same(await token.balanceOf(WHALE), tokens, 'tokens');
      same(await provider.getBlockNumber(), block ?? number, 'number');
    }
  });
}
